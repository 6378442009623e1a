import { Button } from '../button';
import { initialObject } from '../../lib/schema';
import { CataloguePicker } from './catalogue-picker';
import { FaultList, type FieldProps } from './field-row';
import { useFaults, useForm } from './form-context';
import { GroupHead } from './group-head';
import { Properties } from './properties';
import { summaryOf } from './summary';
import styles from './form.module.css';

/** An object within the document: a group that folds; one that may be missing can be added. */
export function GroupField({
  schema,
  pointer,
  label,
  nullable,
  value,
  found,
}: FieldProps & { found?: boolean }) {
  const form = useForm();
  const faults = useFaults(pointer);
  const open = form.isOpen(pointer) || form.filter !== '';
  const isMissing = nullable && (value === null || (value === undefined && !schema.default));
  if (isMissing) {
    return (
      <section className={styles.group} data-field={pointer}>
        <div className={styles.groupHead}>
          <span className={styles.groupTitle}>{label}</span>
          <span className={styles.summary}>none</span>
          <Button
            small
            icon="plus"
            onClick={() => {
              form.change(pointer, initialObject(schema, form.root));
              form.setOpen(pointer, true);
            }}
          >
            Add
          </Button>
        </div>
        <FaultList faults={faults} />
      </section>
    );
  }
  return (
    <section className={styles.group} data-field={pointer}>
      <GroupHead
        pointer={pointer}
        title={label}
        summary={summaryOf(value, schema, form.root)}
        open={open}
      >
        {open && <CataloguePicker schema={schema} pointer={pointer} value={value} />}
        {open && nullable && (
          <Button small look="danger" onClick={() => form.change(pointer, null)}>
            Remove
          </Button>
        )}
      </GroupHead>
      <FaultList faults={faults} />
      {open && (
        <div className={styles.groupBody}>
          {schema.description && <p className="muted small">{schema.description}</p>}
          <Properties schema={schema} pointer={pointer} value={value} found={found} />
        </div>
      )}
    </section>
  );
}
