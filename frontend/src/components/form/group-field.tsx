import { Button } from '../button';
import { initialObject } from '../../lib/schema';
import { CataloguePicker } from './catalogue-picker';
import type { FieldProps } from './field-props';
import { FaultList } from './field-row';
import { useFaults, useForm } from './form-context';
import { FoldingGroup, RemoveButton } from './folding-group';
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
  const isMissing = nullable && (value === null || (value === undefined && !schema.default));
  if (isMissing) {
    return (
      <section className={styles.group} data-field={pointer}>
        <div className={styles.groupHead}>
          <span className={styles.groupTitle}>{label}</span>
          <span className={styles.summary}>none</span>
          {!form.readOnly && (
            <Button
              small
              icon="plus"
              onClick={() => {
                form.change(pointer, form.starts?.[pointer] ?? initialObject(schema, form.root));
                form.setOpen(pointer, true);
              }}
            >
              Add
            </Button>
          )}
        </div>
        <FaultList faults={faults} />
      </section>
    );
  }
  return (
    <FoldingGroup
      pointer={pointer}
      title={label}
      summary={summaryOf(value, schema, form.root, form.currency)}
      description={schema.description}
      tools={
        <>
          <CataloguePicker schema={schema} pointer={pointer} value={value} />
          {nullable && <RemoveButton pointer={pointer} />}
        </>
      }
    >
      <Properties schema={schema} pointer={pointer} value={value} found={found} />
    </FoldingGroup>
  );
}
