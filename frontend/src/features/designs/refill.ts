import { originOf } from '../../components/form/places';
import { isObject, read, write, type Json, type JsonObject } from '../../lib/pointer';
import type { CatalogueEntry, CatalogueValue, Provenance, Study } from '../../lib/types';

/** A document with the catalogue's values of now where it had older ones. */
export interface Refill {
  value: JsonObject;
  origins: Provenance;
  lines: { pointer: string; before: Json | undefined; after: Json }[];
  /** Places whose entry is not in the catalogue any more, or has no such value. */
  lost: string[];
}

/** The entries that any part of a study was filled from. */
export function entriesOf(study: Study): string[] {
  const maps = [
    study.assumptions_provenance,
    study.workload_provenance,
    ...study.designs.map((design) => design.provenance),
  ];
  const slugs = maps.flatMap((map) => Object.values(map).map((origin) => origin?.entry));
  return [...new Set(slugs.filter((slug): slug is string => Boolean(slug)))].sort();
}

const lastOf = (pointer: string) => pointer.slice(pointer.lastIndexOf('/') + 1);

/** A value of an entry, or the one at a place among several. */
function valueAt(value: CatalogueValue['value'], place: string | undefined): Json | undefined {
  const held = place === undefined ? (value as Json) : read(value as Json, `/${place}`);
  return held ?? undefined;
}

const DATES = ['price_as_of', 'as_of'];

/** The date of a price stands beside it: it moves with the price. */
function dated(document: JsonObject, pointer: string, day: string | null): JsonObject {
  if (day === null || !/(^|_)usd(_|$)/.test(pointer.slice(pointer.lastIndexOf('/') + 1))) {
    return document;
  }
  const group = pointer.slice(0, pointer.lastIndexOf('/'));
  const held = read(document, group);
  const name = DATES.find((key) => isObject(held) && typeof held[key] === 'string');
  return name ? (write(document, `${group}/${name}`, day) as JsonObject) : document;
}

/** A value that so many of are taken at once, as of two lines to the internet. */
const scaled = <T>(value: T, times: number) => (typeof value === 'number' ? value * times : value);

/** Puts the present values of entries where a document took theirs; what was typed stays. */
export function refilled(
  document: JsonObject,
  provenance: Provenance,
  entries: ReadonlyMap<string, CatalogueEntry>,
): Refill {
  const result: Refill = { value: document, origins: { ...provenance }, lines: [], lost: [] };
  for (const [pointer, origin] of Object.entries(provenance)) {
    if (!origin?.entry) continue;
    const entry = entries.get(origin.entry);
    const [field = '', place] = (origin.field ?? lastOf(pointer)).split('/');
    const found = entry?.values[field];
    const before = read(document, pointer);
    const times = origin.times ?? 1;
    const after = found && scaled(valueAt(found.value, place), times);
    if (!entry || found === undefined || after === undefined) {
      result.lost.push(pointer);
      continue;
    }
    result.origins[pointer] = {
      ...originOf(entry, found),
      low: scaled(found.low, times),
      high: scaled(found.high, times),
      note: origin.note,
      ...(origin.field && { field: origin.field }),
      ...(origin.times && { times: origin.times }),
    };
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    result.value = dated(write(result.value, pointer, after) as JsonObject, pointer, found.as_of);
    result.lines.push({ pointer, before, after });
  }
  return result;
}
