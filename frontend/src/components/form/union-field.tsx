import type { ReactNode } from 'react';
import { Select } from '../control';
import { isObject, type Json, type JsonObject } from '../../lib/pointer';
import { initialObject, variantOf, type Variant } from '../../lib/schema';
import { CataloguePicker } from './catalogue-picker';
import type { FieldProps } from './field-props';
import { fieldId, useForm } from './form-context';
import { FoldingGroup, RemoveButton } from './folding-group';
import { Properties } from './properties';
import { summaryOf } from './summary';
import styles from './form.module.css';

/** A document of another kind: what both kinds have stays, the rest starts anew. */
function converted(
  value: Json | undefined,
  key: string,
  to: Variant,
  fresh: JsonObject,
): JsonObject {
  const held = isObject(value) ? value : {};
  const kept = Object.entries(held).filter(
    ([name]) => name !== key && to.schema.properties?.[name] !== undefined,
  );
  return { ...fresh, ...Object.fromEntries(kept), [key]: to.tag };
}

/** One of several kinds of thing: a choice of the kind, then the fields of that kind. */
export function UnionField({
  schema,
  pointer,
  label,
  nullable,
  value,
  found,
  tools,
}: FieldProps & { found?: boolean; tools?: ReactNode }) {
  const form = useForm();
  const held = value === undefined ? schema.default : value;
  const { key, all, current } = variantOf(schema, form.root, held);
  const id = `${fieldId(form, pointer)}.${key}`;
  const choose = (tag: string) => {
    const next = all.find((variant) => variant.tag === tag);
    if (next)
      form.change(pointer, converted(held, key, next, initialObject(next.schema, form.root)));
  };
  return (
    <FoldingGroup
      pointer={pointer}
      title={label}
      summary={summaryOf(held, schema, form.root, form.currency)}
      description={schema.description}
      tools={
        <>
          {tools}
          {current && <CataloguePicker schema={current.schema} pointer={pointer} value={held} />}
          {nullable && value !== null && <RemoveButton pointer={pointer} />}
        </>
      }
    >
      <div className={`${styles.row} ${styles.wide}`}>
        <label htmlFor={id}>Kind</label>
        <span />
        <Select
          id={id}
          disabled={form.readOnly}
          value={current?.tag ?? ''}
          choices={[
            ...(current ? [] : [{ value: '', label: nullable ? 'None' : 'Choose' }]),
            ...all.map((variant) => ({ value: variant.tag, label: variant.title })),
          ]}
          onChange={(event) => choose(event.target.value)}
        />
      </div>
      {current && (
        <Properties
          schema={current.schema}
          pointer={pointer}
          value={held}
          omit={[key]}
          found={found}
        />
      )}
    </FoldingGroup>
  );
}
