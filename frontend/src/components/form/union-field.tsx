import type { ReactNode } from 'react';
import { CataloguePicker } from './catalogue-picker';
import type { FieldProps } from './field-props';
import { fieldId, useForm } from './form-context';
import { FoldingGroup, RemoveButton } from './folding-group';
import { KindChoice, useKind } from './kind-choice';
import { Properties } from './properties';
import { summaryOf } from './summary';

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
  const kind = useKind({
    union: schema,
    root: form.root,
    value: held,
    onChange: (next) => form.change(pointer, next),
  });
  const { key, current } = kind;
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
      <KindChoice
        id={`${fieldId(form, pointer)}.${key}`}
        kind={kind}
        none={nullable ? 'None' : 'Choose'}
        disabled={form.readOnly}
      />
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
