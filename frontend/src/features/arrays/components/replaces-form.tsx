import { useForm } from '../../../components/form/form-context';
import type { FieldProps } from '../../../components/form/field-props';
import { isObject, join } from '../../../lib/pointer';
import { OUTLOOK } from '../api/outlook';
import type { Drive, HardDisk, Replaced } from '../types';
import { DriveRow } from './drive-row';
import styles from './fields.module.css';
import { SchemaForm } from './schema-form';

/** As the closed form takes them. */
const threePoints = (drive: Drive): drive is HardDisk =>
  drive.kind === 'hdd' && drive.seek.kind === 'three_point';

/** Which drive is replaced, and what it costs: its other figures are of no account. */
function ReplacedDrive({ pointer, schema, label, value }: FieldProps) {
  const form = useForm();
  const price = schema.properties?.price_usd;
  if (!isObject(value)) return null;
  return (
    <>
      <DriveRow
        label={label}
        title="Choose the drive that it replaces"
        drive={value as unknown as HardDisk}
        only={threePoints}
        onTake={(drive) => form.change(pointer, { ...drive })}
      />
      {price && (
        <form.Field
          schema={{ ...price, title: 'Price of each', empty: 'not known' }}
          name="price_usd"
          pointer={join(pointer, 'price_usd')}
          value={value.price_usd || undefined}
        />
      )}
    </>
  );
}

const OWN = { '/replaces/drive': ReplacedDrive };

interface ReplacesFormProps {
  replaces: Replaced | null;
  onChange: (replaces: Replaced | null) => void;
}

/** The drives whose place the array takes: what the swap saves, and when that has paid. */
export function ReplacesForm({ replaces, onChange }: ReplacesFormProps) {
  return (
    <div className={styles.parts}>
      <SchemaForm
        name="replaced"
        model={OUTLOOK}
        part={({ properties }) => ({ properties: { replaces: { ...properties?.replaces } } })}
        value={{ replaces }}
        own={OWN}
        onChange={(next) => onChange(next.replaces)}
      />
    </div>
  );
}
