import { isObject, join, read, write, type Json, type JsonObject } from './pointer';

export interface DefaultSource {
  source: string;
  as_of?: string;
  quality?: string;
  low?: number;
  high?: number;
}

/** The part of JSON Schema that pydantic writes, with our unit and source of defaults. */
export interface JsonSchema {
  type?: string;
  title?: string;
  description?: string;
  unit?: string;
  /** What a number is typed and shown in, where that is not its unit: KiB of bytes. */
  typed_unit?: string;
  /** What the choices are called; others by their own words. */
  choices?: Record<string, string>;
  /** What an empty field means. */
  empty?: string;
  /** Other fields, by the way to them, with what this one has an effect: values, any, or none. */
  shown_when?: Record<string, string[] | boolean>;
  /** By which field entries of a list share a whole. */
  weighed_by?: string;
  /** Under which titles a form shows the fields, in order. */
  groups?: { title: string; fields: string[] }[];
  /** How a tool shows a list: as one table, which rows can be pasted into. */
  presented?: 'table';
  /** Which kind of catalogue entry is chosen here. */
  catalogue?: 'region';
  /** Which traces a reference to one may name. */
  /** The file whose text a field holds: it may be dropped there. */
  file?: string;
  trace_kind?: 'block' | 'utilization' | 'inference';
  default?: Json;
  default_source?: DefaultSource;
  const?: Json;
  enum?: Json[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
}

/** A schema with its references followed, and whether null is allowed beside it. */
export interface Resolved {
  schema: JsonSchema;
  nullable: boolean;
}

function deref(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let here = schema;
  while (here.$ref) {
    const target = root.$defs?.[here.$ref.replace('#/$defs/', '')] ?? {};
    const { $ref: _followed, ...own } = here;
    here = { ...target, ...own };
  }
  const [only] = here.allOf ?? [];
  if (only && here.allOf?.length === 1) {
    const { allOf: _merged, ...own } = here;
    return deref({ ...only, ...own }, root);
  }
  return here;
}

const cache = new WeakMap<JsonSchema, WeakMap<JsonSchema, Resolved>>();

export function resolve(schema: JsonSchema, root: JsonSchema): Resolved {
  const known = cache.get(root) ?? new WeakMap<JsonSchema, Resolved>();
  cache.set(root, known);
  const found = known.get(schema);
  if (found) return found;
  const resolved = resolveNow(schema, root);
  known.set(schema, resolved);
  return resolved;
}

function resolveNow(schema: JsonSchema, root: JsonSchema): Resolved {
  const here = deref(schema, root);
  const options = here.anyOf ?? [];
  const real = options.filter((option) => option.type !== 'null');
  const nullable = real.length < options.length;
  const [only] = real;
  if (only && real.length === 1) {
    const { anyOf: _split, ...own } = here;
    const inner = resolve(only, root);
    return { schema: { ...inner.schema, ...own }, nullable: nullable || inner.nullable };
  }
  if (real.length > 1) return { schema: { ...here, anyOf: undefined, oneOf: real }, nullable };
  return { schema: here, nullable };
}

export interface Variant {
  tag: string;
  title: string;
  schema: JsonSchema;
}

/** The cases of a discriminated union, each with the value of its tag. */
export function variants(union: JsonSchema, root: JsonSchema): Variant[] {
  const key = union.discriminator?.propertyName ?? 'kind';
  return (union.oneOf ?? []).map((option) => {
    const schema = resolve(option, root).schema;
    const kind = schema.properties?.[key];
    const tag = String(kind?.const ?? kind?.default ?? '');
    return { tag, title: choiceText(kind, tag), schema };
  });
}

export function variantOf(union: JsonSchema, root: JsonSchema, value: Json | undefined) {
  const key = union.discriminator?.propertyName ?? 'kind';
  const all = variants(union, root);
  const tag = isObject(value) ? value[key] : undefined;
  return { key, all, current: all.find((variant) => variant.tag === tag) };
}

const SPELLED = new Map(
  [
    'AWS',
    'IFRS',
    'ASC',
    'GCP',
    'RAM',
    'CPU',
    'GPU',
    'SSD',
    'HDD',
    'DRAM',
    'PUE',
    'NAT',
    'MACRS',
    'TCO',
    'vCPU',
    'IOPS',
    'FCFS',
    'SSTF',
    'SPTF',
    'HP08',
    'RAID-0',
    'RAID-1',
    'RAID-10',
    'RAID-5',
    'RAID-6',
    'DDR3L',
    'DDR4',
    'DDR5',
    'RDIMM',
    'LRDIMM',
    'UDIMM',
  ].map((word) => [word.toLowerCase().replace('-', ''), word]),
);
const PARITIES = ['one parity', 'two parities', 'three parities'];
SPELLED.set('raid7', 'Triple parity (RAID-TP)');
PARITIES.forEach((name, at) => SPELLED.set(`draid${at + 1}`, `Declustered, ${name}`));

/** `time_of_use` as a reader sees it: Time of use; `aws`: AWS. */
export function words(identifier: string): string {
  const parts = identifier.split('_').filter(Boolean);
  const text = parts.map((part) => SPELLED.get(part) ?? part).join(' ');
  return SPELLED.has(parts[0] ?? '') ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** What one of the choices of a field is called. */
export function choiceText(schema: JsonSchema | undefined, choice: string): string {
  return schema?.choices?.[choice] ?? words(choice);
}

/** What a field is, with the choices that its description explains by their names. */
export function described(schema: JsonSchema): string | undefined {
  return (schema.enum ?? []).reduce<string | undefined>(
    (text, choice) =>
      text?.replaceAll(`${String(choice)}:`, `${choiceText(schema, String(choice))}:`),
    schema.description,
  );
}

/** A value that a new field of this schema starts from. */
export function initialValue(schema: JsonSchema, root: JsonSchema): Json {
  const { schema: here, nullable } = resolve(schema, root);
  if (here.default !== undefined) return here.default;
  if (here.const !== undefined) return here.const;
  if (nullable) return null;
  if (here.oneOf) {
    const [first] = variants(here, root);
    return first ? initialObject(first.schema, root) : null;
  }
  if (here.properties) return initialObject(here, root);
  if (here.type === 'array') {
    // A list that has to be given begins with one entry.
    const count = here.minItems ?? 1;
    return here.items && count <= 12
      ? Array.from({ length: count }, () => initialValue(here.items as JsonSchema, root))
      : [];
  }
  return here.enum?.[0] ?? null;
}

export function initialObject(schema: JsonSchema, root: JsonSchema): JsonObject {
  const required = new Set(schema.required);
  const entries = Object.entries(schema.properties ?? {})
    .filter(([key, property]) => required.has(key) || property.const !== undefined)
    .map(([key, property]) => [key, initialValue(property, root)] as const)
    .filter(([, value]) => value !== null);
  return Object.fromEntries(entries);
}

/** The schema at a JSON pointer of a document, following unions by what the document holds. */
export function schemaAt(
  start: JsonSchema,
  root: JsonSchema,
  document: Json | undefined,
  pointer: string,
): JsonSchema | undefined {
  let here: JsonSchema | undefined = start;
  let value: Json | undefined = document;
  for (const part of pointer.split('/').slice(1)) {
    if (!here) return undefined;
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    here = step(resolve(here, root).schema, root, value, key);
    value = Array.isArray(value)
      ? value[arrayIndex(value, key)]
      : isObject(value)
        ? value[key]
        : undefined;
  }
  return here && resolve(here, root).schema;
}

function arrayIndex(list: readonly Json[], key: string): number {
  if (/^\d+$/.test(key)) return Number(key);
  return list.findIndex((item) => isObject(item) && item.letter === key);
}

function step(schema: JsonSchema, root: JsonSchema, value: Json | undefined, key: string) {
  if (schema.oneOf) {
    const chosen = variantOf(schema, root, value).current;
    return chosen?.schema.properties?.[key];
  }
  if (schema.items) return schema.items;
  const extra = schema.additionalProperties;
  return schema.properties?.[key] ?? (typeof extra === 'object' ? extra : undefined);
}

export interface NumericLeaf {
  pointer: string;
  labels: string[];
  value: number;
  schema: JsonSchema;
}

type Labels = readonly string[];

function leavesOfObject(
  schema: JsonSchema,
  root: JsonSchema,
  held: JsonObject,
  pointer: string,
  labels: Labels,
): NumericLeaf[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const title = resolve(property, root).schema.title ?? words(key);
    return numericLeaves(property, root, held[key], join(pointer, key), [...labels, title]);
  });
}

function leavesOfList(
  items: JsonSchema,
  root: JsonSchema,
  held: readonly Json[],
  pointer: string,
  labels: Labels,
): NumericLeaf[] {
  return held.flatMap((item, at) => {
    const name = isObject(item) && typeof item.name === 'string' ? item.name : String(at + 1);
    return numericLeaves(items, root, item, join(pointer, at), [...labels, name]);
  });
}

// Longer lists are shapes, not inputs to be moved one by one.
const LONGEST_LIST = 24;

/** Every number that a document holds or has by default, with the titles on the way to it. */
export function numericLeaves(
  schema: JsonSchema,
  root: JsonSchema,
  value: Json | undefined,
  pointer = '',
  labels: Labels = [],
): NumericLeaf[] {
  const here = resolve(schema, root).schema;
  const held = value === undefined ? here.default : value;
  if (here.type === 'number' || here.type === 'integer') {
    return typeof held === 'number'
      ? [{ pointer, labels: [...labels], value: held, schema: here }]
      : [];
  }
  if (Array.isArray(held)) {
    return here.items && held.length <= LONGEST_LIST
      ? leavesOfList(here.items, root, held, pointer, labels)
      : [];
  }
  if (!isObject(held)) return [];
  const object = here.oneOf ? variantOf(here, root, held).current?.schema : here;
  return object ? leavesOfObject(object, root, held, pointer, labels) : [];
}

/**
 * Writes a value where groups on the way may still be at their defaults: a union gets its
 * default case first, since a part of it alone would not say which case it is of.
 */
export function writeSeeded(
  start: JsonSchema,
  root: JsonSchema,
  document: Json,
  pointer: string,
  value: Json | undefined,
): Json {
  const parts = pointer.split('/').slice(1);
  let seeded = document;
  for (let count = 1; count < parts.length; count += 1) {
    const prefix = parts
      .slice(0, count)
      .map((part) => `/${part}`)
      .join('');
    if (read(seeded, prefix) != null) continue;
    const here = schemaAt(start, root, seeded, prefix);
    const isUnion = here?.oneOf !== undefined;
    if (isUnion && isObject(here.default)) seeded = write(seeded, prefix, here.default);
  }
  return write(seeded, pointer, value);
}
