import { quantity } from '../../lib/format';
import { isObject, join, type Json, type JsonObject } from '../../lib/pointer';
import type { Fault } from '../../lib/problem';
import { resolve, variantOf, type JsonSchema } from '../../lib/schema';
import { typedIn } from '../../lib/units';

function fault(pointer: string, message: string): Fault[] {
  return [{ pointer, code: 'value', message }];
}

/** What is wrong with a number; nothing when it may stay. */
function numberFault(schema: JsonSchema, value: Json): string | null {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  const { unit, typed_unit } = schema;
  const { shown, inverse } = typedIn(unit, typed_unit);
  const text = (bound: number) =>
    inverse ? quantity(shown(bound), typed_unit) : quantity(bound, unit);
  const [least, most] = inverse ? ['at most', 'at least'] : ['at least', 'at most'];
  if (typeof value !== 'number') return 'This is not a number.';
  if (minimum !== undefined && value < minimum) return `Enter ${least} ${text(minimum)}.`;
  if (maximum !== undefined && value > maximum) return `Enter ${most} ${text(maximum)}.`;
  if (above !== undefined && value <= above) return `Enter more than ${text(above)}.`;
  if (below !== undefined && value >= below) return `Enter less than ${text(below)}.`;
  return schema.type === 'integer' && !Number.isInteger(value) ? 'Enter a whole number.' : null;
}

function listFaults(schema: JsonSchema, root: JsonSchema, value: Json, pointer: string): Fault[] {
  const items = Array.isArray(value) ? value : [];
  const least = schema.minItems ?? 0;
  if (items.length < least) return fault(pointer, `Enter at least ${least} numbers.`);
  const inner = resolve(schema.items ?? {}, root).schema;
  if (inner.properties) {
    return items.flatMap((item, at) => schemaFaults(inner, root, item, join(pointer, at)));
  }
  const at = items.findIndex((item) => numberFault(inner, item) !== null);
  if (at < 0) return [];
  return fault(pointer, `No. ${at + 1}: ${numberFault(inner, items[at] ?? null)}`);
}

function objectFaults(
  schema: JsonSchema,
  root: JsonSchema,
  value: JsonObject,
  pointer: string,
): Fault[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const here = join(pointer, key);
    if (value[key] !== undefined) return schemaFaults(property, root, value[key], here);
    return required.has(key) ? fault(here, 'Enter a value.') : [];
  });
}

/** What is wrong with a document, by its schema: bounds, what is missing, what is no number. */
export function schemaFaults(
  written: JsonSchema,
  root: JsonSchema,
  value: Json,
  pointer = '',
): Fault[] {
  const { schema, nullable } = resolve(written, root);
  if (value === null) return nullable ? [] : fault(pointer, 'Enter a value.');
  if (schema.oneOf) {
    const { current } = variantOf(schema, root, value);
    if (!current || !isObject(value)) return fault(pointer, 'Choose a kind.');
    return objectFaults(current.schema, root, value, pointer);
  }
  if (schema.properties) return isObject(value) ? objectFaults(schema, root, value, pointer) : [];
  if (schema.type === 'array') return listFaults(schema, root, value, pointer);
  if (schema.type !== 'number' && schema.type !== 'integer') return [];
  const message = numberFault(schema, value);
  return message === null ? [] : fault(pointer, message);
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
