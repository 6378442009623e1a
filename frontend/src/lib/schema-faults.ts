import { entered, USD, type Currency } from './format';
import { isObject, join, type Json } from './pointer';
import type { Fault } from './problem';
import { resolve, variantOf, type JsonSchema } from './schema';
import { asTyped } from './typed-number';
import { isWholeOnly, refusalOf, typedIn } from './units';

const fault = (pointer: string, message: string | null): Fault[] =>
  message === null ? [] : [{ pointer, code: 'value', message }];

interface Place {
  pointer?: string;
  /** What amounts are typed and shown in. */
  currency?: Currency;
}

/** What is wrong with a number; nothing when it may stay. */
export function numberFault(
  schema: JsonSchema,
  value: Json,
  currency: Currency = USD,
): string | null {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  const { unit, typed_unit } = schema;
  const { shown, inverse } = typedIn(unit, typed_unit);
  const text = (bound: number) =>
    asTyped(inverse ? entered(shown(bound), typed_unit) : entered(bound, unit, currency));
  const [least, most] = inverse ? ['at most', 'at least'] : ['at least', 'at most'];
  if (typeof value !== 'number') return 'This is not a number.';
  if (minimum !== undefined && value < minimum) return `Enter ${least} ${text(minimum)}.`;
  if (maximum !== undefined && value > maximum) return `Enter ${most} ${text(maximum)}.`;
  if (above !== undefined && value <= above) return `Enter more than ${text(above)}.`;
  if (below !== undefined && value >= below) return `Enter less than ${text(below)}.`;
  if (!isWholeOnly(schema) || Number.isInteger(value)) return null;
  return refusalOf(typed_unit ?? unit ?? '', currency, '', {
    bounds: typed_unit === undefined ? schema : { type: 'integer' },
  });
}

function listFaults(
  schema: JsonSchema,
  root: JsonSchema,
  value: Json,
  { pointer, currency }: Required<Place>,
): Fault[] {
  const { items = {}, minItems: least = 0 } = schema;
  const list = Array.isArray(value) ? value : [];
  if (list.length < least) return fault(pointer, `Enter at least ${least} numbers.`);
  const found = list.map((item, at) =>
    schemaFaults(items, root, item, { pointer: join(pointer, at), currency }),
  );
  if (resolve(items, root).schema.properties) return found.flat();
  // Numbers are one field.
  const at = found.findIndex((faults) => faults.length > 0);
  return fault(pointer, at < 0 ? null : `No. ${at + 1}: ${found[at]?.[0]?.message}`);
}

/** What is wrong with a document, by its schema: bounds, what is missing, what is no number. */
export function schemaFaults(
  written: JsonSchema,
  root: JsonSchema,
  value: Json | undefined,
  { pointer = '', currency = USD }: Place = {},
): Fault[] {
  const { schema: own, nullable } = resolve(written, root);
  if (value == null) return value === null && nullable ? [] : fault(pointer, 'Enter a value.');
  const schema = own.oneOf ? variantOf(own, root, value).current?.schema : own;
  if (!schema) return fault(pointer, 'Choose a kind.');
  const { type, properties, required } = schema;
  if (properties) {
    const held = isObject(value) ? value : {};
    return Object.entries(properties).flatMap(([key, property]) =>
      held[key] === undefined && !required?.includes(key)
        ? []
        : schemaFaults(property, root, held[key], { pointer: join(pointer, key), currency }),
    );
  }
  if (type === 'array') return listFaults(schema, root, value, { pointer, currency });
  return type === 'number' || type === 'integer'
    ? fault(pointer, numberFault(schema, value, currency))
    : [];
}

/** A document with everything that it leaves out at its defaults. */
export function completed(written: JsonSchema, root: JsonSchema, value: Json): Json {
  const { schema: here } = resolve(written, root);
  const schema = here.oneOf ? variantOf(here, root, value).current?.schema : here;
  if (!isObject(value) || !schema?.properties) return value;
  const whole = Object.entries(schema.properties).flatMap(([key, field]) => {
    const held = value[key] === undefined ? resolve(field, root).schema.default : value[key];
    return held === undefined ? [] : [[key, completed(field, root, held)] as const];
  });
  return { ...value, ...Object.fromEntries(whole) };
}
