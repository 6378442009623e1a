import { Button, IconButton } from '../button';
import { percent } from '../../lib/format';
import { isObject, join, type Json, type JsonObject } from '../../lib/pointer';
import { initialValue, resolve, variantOf, type JsonSchema } from '../../lib/schema';
import { CataloguePicker } from './catalogue-picker';
import type { FieldProps } from './field-props';
import { useForm } from './form-context';
import { FoldingGroup } from './folding-group';
import { PlanPicker, takesPlans } from './plan-picker';
import { Properties } from './properties';
import { itemsText, itemTitle, summaryOf } from './summary';

interface ItemProps {
  schema: JsonSchema;
  pointer: string;
  at: number;
  value: Json;
  /** Its part of the whole, where entries have weights. */
  share: string | null;
  found?: boolean;
  onRemove: () => void;
  onCopy: () => void;
}

function Item({ schema, pointer, at, value, share, found, onRemove, onCopy }: ItemProps) {
  const form = useForm();
  const { schema: here } = resolve(schema, form.root);
  const shape = here.oneOf ? variantOf(here, form.root, value).current?.schema : here;
  const title = itemTitle(value, at);
  const summary = summaryOf(value, here, form.root, form.currency);
  if (!here.oneOf && !here.properties) {
    return <form.Field schema={schema} name={String(at + 1)} pointer={pointer} value={value} />;
  }
  return (
    <FoldingGroup
      pointer={pointer}
      title={title}
      summary={[share, summary].filter(Boolean).join(' · ')}
      tools={
        <>
          {shape && takesPlans(shape) && <PlanPicker pointer={pointer} />}
          {shape && <CataloguePicker schema={shape} pointer={pointer} value={value} />}
          <IconButton small icon="copy" label={`Copy ${title}`} onClick={onCopy} />
          <IconButton small icon="trash" label={`Remove ${title}`} onClick={onRemove} />
        </>
      }
    >
      {shape && <Properties schema={shape} pointer={pointer} value={value} found={found} />}
    </FoldingGroup>
  );
}

function renamed(item: Json, taken: readonly Json[]): Json {
  if (!isObject(item) || typeof item.name !== 'string') return item;
  const names = new Set(taken.map((other) => (isObject(other) ? other.name : null)));
  let number = 2;
  while (names.has(`${item.name} ${number}`)) number += 1;
  return { ...item, name: `${item.name} ${number}` } satisfies JsonObject;
}

/** The part of the whole that each entry has by its weight; none where there are no weights. */
function sharesOf(items: readonly Json[], schema: JsonSchema, root: JsonSchema) {
  const { weighed_by: key, items: item = {} } = schema;
  if (key === undefined) return items.map(() => null);
  const fallback = Number(resolve(item, root).schema.properties?.[key]?.default ?? 0);
  const weights = items.map((entry) => Number((isObject(entry) ? entry[key] : null) ?? fallback));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (whole > 0 ? percent(weight / whole) : null));
}

/** A list of groups: each folds; entries can be added, copied and removed. */
export function ListField({
  schema,
  pointer,
  label,
  value,
  found,
}: FieldProps & { found?: boolean }) {
  const form = useForm();
  const held = value ?? schema.default ?? [];
  const items = Array.isArray(held) ? held : [];
  const itemSchema = schema.items ?? {};
  const shares = sharesOf(items, schema, form.root);
  const add = (item: Json) => {
    form.change(pointer, [...items, item]);
    form.setOpen(join(pointer, items.length), true);
  };
  const fresh = () => initialValue(itemSchema, form.root) ?? {};
  const isFull = items.length >= (schema.maxItems ?? Number.POSITIVE_INFINITY);
  return (
    <FoldingGroup
      pointer={pointer}
      title={label}
      summary={itemsText(items)}
      description={schema.description}
      tools={
        !isFull && (
          <Button small icon="plus" onClick={() => add(fresh())}>
            Add
          </Button>
        )
      }
    >
      {items.length === 0 && <p className="muted small">None yet.</p>}
      {items.map((item, at) => (
        <Item
          key={at}
          schema={itemSchema}
          pointer={join(pointer, at)}
          at={at}
          value={item}
          share={shares[at] ?? null}
          found={found}
          onCopy={() => add(renamed(item, items))}
          onRemove={() =>
            form.change(
              pointer,
              items.filter((_, other) => other !== at),
            )
          }
        />
      ))}
    </FoldingGroup>
  );
}
