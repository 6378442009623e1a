import { join, type Json, type JsonObject } from '../../lib/pointer';
import { resolve, variants, type JsonSchema } from '../../lib/schema';
import type { CatalogueEntry, CatalogueValue, Origin } from '../../lib/types';
import written from './catalogue-places.json';

/**
 * Which entries of the catalogue fill which fields, where names alone do not say it. The table is
 * data: a test of the catalogue holds every price to it.
 */
interface Rule {
  kind: string;
  /** Texts of the entry, one of which must be there. */
  where?: Record<string, string[]>;
  /** The field; a name in braces stands for a text of the entry. */
  into: string;
  /** Fields that the same group must have. */
  with?: string[];
  from?: string;
  times?: number;
  /** Which of several numbers. */
  at?: number;
  bands?: Bands;
}

interface Bands {
  starts: string;
  ends: string;
  prices: string;
  single: string;
  price: string;
}

interface Place {
  kind: string;
  has: string[];
  not?: string[];
}

/** A part of a group that another entry fills, which the first one names. */
interface Nested {
  kind: string;
  into: string;
  named: string;
  besides: string[];
  counts?: string;
  case?: string;
}

const { groups, rules, nested } = written as {
  groups: Place[];
  rules: Rule[];
  nested: Nested[];
};

export interface Filling {
  values: [pointer: string, value: Json][];
  origins: [pointer: string, origin: Origin][];
}

export const nothing = (): Filling => ({ values: [], origins: [] });

export function together(...fillings: readonly Filling[]): Filling {
  return {
    values: fillings.flatMap(({ values }) => values),
    origins: fillings.flatMap(({ origins }) => origins),
  };
}

/** What a document keeps of where a value of an entry comes from. */
export function originOf(entry: CatalogueEntry, value: CatalogueValue): Origin {
  const { quality, source, url, as_of, low, high } = value;
  return { quality, source, url, as_of, low, high, entry: entry.slug };
}

const hasAll = (schema: JsonSchema, names: readonly string[] = []) =>
  names.every((name) => schema.properties?.[name] !== undefined);

/** The kinds of entries that can fill something of a group, the closest first. */
export function catalogueKindsFor(schema: JsonSchema): string[] {
  const own = groups.filter(
    ({ has, not = [] }) =>
      hasAll(schema, has) && not.every((name) => schema.properties?.[name] === undefined),
  );
  const ruled = rules.filter(
    (rule) => (hasAll(schema, [rule.into]) || rule.into.includes('{')) && hasAll(schema, rule.with),
  );
  const named = ruled.filter(({ into }) => into !== 'kind' || own.length === 0);
  return [...new Set([...own, ...named].map(({ kind }) => kind))];
}

const textOf = (entry: CatalogueEntry, name: string) => {
  const value = entry.values[name]?.value;
  return typeof value === 'string' ? value : '';
};

function applies(
  { kind, where = {}, with: beside }: Rule,
  schema: JsonSchema,
  entry: CatalogueEntry,
) {
  const meets = Object.entries(where).every(([name, texts]) => texts.includes(textOf(entry, name)));
  return kind === entry.kind && meets && hasAll(schema, beside);
}

/** The numbers of a field: one, several, or none. */
function numbers(entry: CatalogueEntry, name: string): number[] {
  const value = entry.values[name]?.value;
  if (Array.isArray(value)) return value;
  return typeof value === 'number' ? [value] : [];
}

/** Bands of a price: each ends where the next one begins, the last has no end. */
function banded(at: string, bands: Bands, entry: CatalogueEntry): Filling {
  const [starts, several] = [numbers(entry, bands.starts), numbers(entry, bands.prices)];
  const from = several.length > 0 ? bands.prices : bands.single;
  const prices = several.length > 0 ? several : numbers(entry, bands.single).slice(0, 1);
  const value = entry.values[from];
  if (prices.length === 0 || !value) return nothing();
  const items = prices.map((price, place): JsonObject => {
    const end = starts[place + 1];
    return end === undefined
      ? { [bands.price]: price }
      : { [bands.ends]: end, [bands.price]: price };
  });
  const origins = items.map((_, place): [string, Origin] => [
    join(join(at, place), bands.price),
    { ...originOf(entry, value), field: several.length > 0 ? `${from}/${place}` : from },
  ]);
  return { values: [[at, items]], origins };
}

/** A number of an entry in another field than its own, perhaps multiplied. */
function taken(at: string, rule: Rule, schema: JsonSchema, entry: CatalogueEntry): Filling {
  const { from = '', times = 1 } = rule;
  const value = entry.values[from];
  if (!value) return nothing();
  if (typeof value.value === 'string') {
    const known = schema.enum?.includes(value.value) ?? true;
    return known ? { values: [[at, value.value]], origins: [] } : nothing();
  }
  const number = numbers(entry, from)[rule.at ?? 0];
  if (number === undefined) return nothing();
  const origin = originOf(entry, value);
  const field = rule.at === undefined ? from : `${from}/${rule.at}`;
  const scaled: Origin = {
    ...origin,
    low: origin.low == null ? null : origin.low * times,
    high: origin.high == null ? null : origin.high * times,
    field,
    ...(times !== 1 && { times, note: `× ${times}` }),
  };
  return { values: [[at, number * times]], origins: [[at, scaled]] };
}

/** What rules of the table take from an entry into a group. */
export function ruled(
  schema: JsonSchema,
  root: JsonSchema,
  pointer: string,
  entry: CatalogueEntry,
): Filling {
  const found = rules
    .filter((rule) => applies(rule, schema, entry))
    .map((rule) => {
      const into = rule.into.replace(/\{(\w+)\}/, (_, name: string) => textOf(entry, name));
      const property = schema.properties?.[into];
      if (!property) return nothing();
      const at = join(pointer, into);
      if (rule.bands) return banded(at, rule.bands, entry);
      return taken(at, rule, resolve(property, root).schema, entry);
    });
  return together(...found);
}

/** Names of the other entries that an entry is made of. */
export function namedBy(entry: CatalogueEntry): string[] {
  const names = nested
    .filter(({ kind }) => kind === entry.kind)
    .flatMap(({ named }) => textOf(entry, named).split(' '));
  return [...new Set(names.filter(Boolean))];
}

type Fill = (schema: JsonSchema, pointer: string, entry: CatalogueEntry) => Filling;

/** A group that one entry fills, with what the first entry says of it besides. */
function one(at: string, schema: JsonSchema, entry: CatalogueEntry, fill: Fill): Filling {
  return together({ values: [[at, {}]], origins: [] }, fill(schema, at, entry));
}

/** The case of a union that lists several entries, each with its count. */
function listed(
  at: string,
  tag: string,
  shape: JsonSchema,
  root: JsonSchema,
  entries: readonly CatalogueEntry[],
  counts: readonly number[],
  fill: Fill,
): Filling {
  const list = shape.properties?.[tag];
  const item = list && resolve(list, root).schema.items;
  if (!item) return nothing();
  const items = entries.map((entry, place) => {
    const here = join(join(at, tag), place);
    const count: Filling = { values: [[join(here, 'count'), counts[place] ?? 1]], origins: [] };
    return together(one(here, resolve(item, root).schema, entry, fill), count);
  });
  return together({ values: [[at, { kind: tag, [tag]: [] }]], origins: [] }, ...items);
}

/** Drives, GPUs and the bill of materials of a server, from the entries that it names. */
export function nestedFilling(
  schema: JsonSchema,
  root: JsonSchema,
  pointer: string,
  entry: CatalogueEntry,
  others: ReadonlyMap<string, CatalogueEntry>,
  fill: Fill,
): Filling {
  const found = nested.map((part) => {
    const property = schema.properties?.[part.into];
    const slugs = textOf(entry, part.named).split(' ').filter(Boolean);
    const entries = slugs.flatMap((slug) => others.get(slug) ?? []);
    const [first] = entries;
    if (part.kind !== entry.kind || !property || !first || entries.length < slugs.length) {
      return nothing();
    }
    const at = join(pointer, part.into);
    const here = resolve(property, root).schema;
    const tagged = variants(here, root).find(({ tag }) => tag === part.case);
    if (tagged) {
      const counts = numbers(entry, part.counts ?? '');
      return listed(at, tagged.tag, tagged.schema, root, entries, counts, fill);
    }
    const besides = part.besides.flatMap((name): [string, Json][] =>
      numbers(entry, name).map((number) => [join(at, name), number]),
    );
    return together(one(at, here, first, fill), { values: besides, origins: [] });
  });
  return together(...found);
}
