import { unitLabel } from '../../lib/format';
import { isObject, type Json, type JsonObject } from '../../lib/pointer';
import { resolve, variantOf, words, type JsonSchema } from '../../lib/schema';
import type { Column, Fact, Scalar } from './result-parts';

/** A document within a document, kept for other programs. */
export const isInner = (value: Json) => typeof value === 'string' && /^\s*[{[]"?/.test(value);
export const isScalar = (value: Json | undefined): value is Scalar =>
  value === undefined || value === null || ['string', 'number', 'boolean'].includes(typeof value);

export const isNumbers = (value: Json): value is (number | null)[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.some((item) => typeof item === 'number') &&
  value.every((item) => item === null || typeof item === 'number');

export const isGrid = (value: Json): value is (number | null)[][] =>
  Array.isArray(value) && value.length > 1 && value.every((row) => isNumbers(row));

export const isObjects = (value: Json): value is JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

export interface Place {
  schema: JsonSchema;
  root: JsonSchema;
  /** Titles on the way here. */
  path: readonly string[];
}

/** The schema of each key of an object, also of one with free keys or of several kinds. */
export function propertyOf(place: Place, value: JsonObject, key: string): JsonSchema {
  const { schema, root } = place;
  const here = schema.oneOf ? (variantOf(schema, root, value).current?.schema ?? schema) : schema;
  const extra = here.additionalProperties;
  const found = here.properties?.[key] ?? (typeof extra === 'object' ? extra : {});
  return resolve(found, root).schema;
}

/** The fields of an object in the order of its schema: a stored result has lost its own. */
export function entriesOf(place: Place, value: JsonObject): [string, Json][] {
  const { schema, root } = place;
  const here = schema.oneOf ? (variantOf(schema, root, value).current?.schema ?? schema) : schema;
  const order = Object.keys(here.properties ?? {});
  const rank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);
  return Object.entries(value).sort(([one], [other]) => rank(one) - rank(other));
}

/** The unit of the numbers below a schema, however deep they lie in lists. */
export function unitOf(schema: JsonSchema, root: JsonSchema): string {
  if (schema.unit) return schema.unit;
  const item = schema.items ?? schema.prefixItems?.[0];
  return item ? unitOf(resolve(item, root).schema, root) : '';
}

export function itemOf(schema: JsonSchema, root: JsonSchema): JsonSchema {
  return resolve(schema.items ?? {}, root).schema;
}

export function columnOf(key: string, schema: JsonSchema, root: JsonSchema): Column {
  const { title, description } = schema;
  return { key, label: title ?? words(key), unit: unitOf(schema, root), description };
}

/** Words of a schema are keys: `few_cylinders` is read as Few cylinders. */
export function shownText(value: Scalar, schema: JsonSchema): Scalar {
  const isWord = typeof value === 'string' && /^[a-z0-9]+(_[a-z0-9]+)*$/.test(value);
  return isWord && (schema.enum !== undefined || value.includes('_')) ? words(value) : value;
}

/** Labels that name more than one thing say their unit too: Energy ($), Energy (kWh). */
export function distinct<T extends { label: string; unit: string }>(things: readonly T[]): T[] {
  const count = (label: string) => things.filter((thing) => thing.label === label).length;
  return things.map((thing) => {
    const unit = unitLabel(thing.unit);
    return count(thing.label) > 1 && unit ? { ...thing, label: `${thing.label} (${unit})` } : thing;
  });
}

/** The reason that a result gives for a missing value: that of the value, else of all. */
function reasonFor(key: string, value: JsonObject): string | undefined {
  const reasons = Object.entries(value).filter(
    ([name, text]) => /(^|_)reason$/.test(name) && typeof text === 'string',
  );
  const own = reasons.find(
    ([name]) => name !== 'reason' && key.startsWith(name.replace(/_?reason$/, '')),
  );
  const text = (own ?? reasons.find(([name]) => name === 'reason'))?.[1];
  return typeof text === 'string' ? String(shownText(text, {})) : undefined;
}

export function factOf(key: string, value: Scalar, schema: JsonSchema, holder: JsonObject): Fact {
  const { title, description, unit = '' } = schema;
  return {
    key,
    label: title ?? words(key),
    unit,
    description,
    value: shownText(value, schema),
    reason: value === null ? reasonFor(key, holder) : undefined,
  };
}

/** The fields of an object that are single values, those of objects within it beside them. */
export function scalarsOf(
  value: JsonObject,
  place: Place,
  prefix = '',
): { column: Column; value: Scalar }[] {
  return entriesOf(place, value).flatMap(([key, item]) => {
    const schema = propertyOf(place, value, key);
    if (isScalar(item)) {
      if (isInner(item)) return [];
      const column = columnOf(`${prefix}${key}`, schema, place.root);
      const label = prefix ? `${words(prefix.slice(0, -1))}: ${column.label}` : column.label;
      return [{ column: { ...column, label }, value: shownText(item, schema) }];
    }
    return isObject(item) ? scalarsOf(item, { ...place, schema }, `${prefix}${key}.`) : [];
  });
}
