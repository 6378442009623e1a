import { Button } from '../../../components/button';
import { Popover } from '../../../components/popover';
import { fieldLabel } from '../words';
import styles from './catalogue.module.css';

interface ColumnsProps {
  fields: readonly string[];
  shown: readonly string[];
  onChange: (shown: string[] | null) => void;
}

/** Which fields are columns of the list. */
export function Columns({ fields, shown, onChange }: ColumnsProps) {
  const toggle = (name: string) =>
    onChange(shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name]);
  return (
    <Popover label="Columns" trigger={<Button icon="table">Columns</Button>}>
      <div className={`${styles.columns} stack gap-6`}>
        {fields.map((name) => (
          <label key={name}>
            <input type="checkbox" checked={shown.includes(name)} onChange={() => toggle(name)} />
            {fieldLabel(name)} <span className="muted small">{name}</span>
          </label>
        ))}
        <Button small onClick={() => onChange(null)}>
          Columns as before
        </Button>
      </div>
    </Popover>
  );
}
