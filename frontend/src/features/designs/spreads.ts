import { isObject, read, type Json, type JsonObject } from '../../lib/pointer';
import { numericLeaves, schemaAt, type JsonSchema, type NumericLeaf } from '../../lib/schema';
import type { Origin, Provenance, RangeEntry } from '../../lib/types';
import names from './may-vary.json';

/** As many ranges as a study takes. */
export const RANGES_MOST = 160;

type Ends = Pick<RangeEntry, 'low' | 'high'>;

export interface DocumentChange {
  schema: JsonSchema;
  root: JsonSchema;
  before: { value: JsonObject; provenance: Provenance };
  /** Origins come with values that were taken from somewhere; none with what was typed. */
  after: { value: JsonObject; origins: Provenance | null };
}

export interface Followed {
  ranges: RangeEntry[];
  /** Origins under the places to which list entries moved; null where none moved. */
  moved: Provenance | null;
}

function mayVary({ pointer, schema }: NumericLeaf, document: JsonObject): boolean {
  const path = pointer.split('/').slice(1);
  const name = path.at(-1) ?? '';
  if (schema.type !== 'number' || /^\d+$/.test(name)) return false;
  if (names.never.includes(name) || path.includes('memory')) return false;
  if (path.some((part) => names.drives.includes(part)) && !names.of_a_drive.includes(name)) {
    return false;
  }
  if (!names.of_a_server.includes(name)) return true;
  const group = read(document, pointer.slice(0, pointer.lastIndexOf('/')));
  return !isObject(group) || group.role !== 'service';
}

function allows(schema: JsonSchema, value: number): boolean {
  return (
    value >= (schema.minimum ?? -Infinity) &&
    value <= (schema.maximum ?? Infinity) &&
    value > (schema.exclusiveMinimum ?? -Infinity) &&
    value < (schema.exclusiveMaximum ?? Infinity)
  );
}

function spreadOf({ schema, value }: NumericLeaf, origin: Origin | undefined): Ends | null {
  const source = origin ?? (value === schema.default ? schema.default_source : undefined);
  const { low, high } = source ?? {};
  if (low == null || high == null || low >= high || value < low || value > high) return null;
  return allows(schema, low) && allows(schema, high) ? { low, high } : null;
}

/** What the sources of a document's numbers say of how far off they may be. */
function spreads(
  leaves: readonly NumericLeaf[],
  document: JsonObject,
  provenance: Provenance,
): Map<string, Ends> {
  const found = new Map<string, Ends>();
  for (const leaf of leaves) {
    const ends = spreadOf(leaf, provenance[leaf.pointer]);
    if (ends && mayVary(leaf, document)) found.set(leaf.pointer, ends);
  }
  return found;
}

/** Where a place of a document went, when entries of a list were added or taken away. */
function placeAfter(before: JsonObject, after: JsonObject, pointer: string): string | undefined {
  let old: Json | undefined = before;
  let now: Json | undefined = after;
  let place = '';
  for (const part of pointer.split('/').slice(1)) {
    let key = part;
    if (Array.isArray(old) && Array.isArray(now) && old.length !== now.length) {
      const at = now.indexOf(old[Number(part)] ?? null);
      if (at < 0) return undefined;
      key = String(at);
    }
    old = read(old, `/${part}`);
    now = read(now, `/${key}`);
    place = `${place}/${key}`;
  }
  return place;
}

function isThere({ schema, root, after }: DocumentChange, pointer: string): boolean {
  const group = read(after.value, pointer.slice(0, pointer.lastIndexOf('/')));
  return isObject(group) && schemaAt(schema, root, after.value, pointer) !== undefined;
}

function same(one: Ends | undefined, other: Ends | undefined): boolean {
  return one?.low === other?.low && one?.high === other?.high;
}

/** Origins after a change: those of what stayed as it was, at their new places. */
function originsAfter(change: DocumentChange, place: (pointer: string) => string | undefined) {
  const { before, after } = change;
  if (after.origins) return after.origins;
  const kept = Object.entries(before.provenance).flatMap(([pointer, origin]) => {
    const at = place(pointer);
    const isSame = at !== undefined && read(before.value, pointer) === read(after.value, at);
    return isSame ? [[at, origin] as const] : [];
  });
  return Object.fromEntries(kept) as Provenance;
}

/** What a change is judged by: numbers, their sources' spreads, and where places went. */
function sides(change: DocumentChange) {
  const { schema, root, before, after } = change;
  const leavesBefore = numericLeaves(schema, root, before.value);
  const leavesAfter = numericLeaves(schema, root, after.value);
  const place = (pointer: string) => placeAfter(before.value, after.value, pointer);
  const provenance = originsAfter(change, place);
  return {
    was: new Map(leavesBefore.map((leaf) => [leaf.pointer, leaf.value])),
    is: new Map(leavesAfter.map((leaf) => [leaf.pointer, leaf.value])),
    place,
    provenance,
    old: spreads(leavesBefore, before.value, before.provenance),
    fresh: spreads(leavesAfter, after.value, provenance),
  };
}

type Sides = ReturnType<typeof sides>;

/** Whether a range still speaks of the value that stands at its place now. */
function stays(entry: RangeEntry, at: string, change: DocumentChange, judged: Sides): boolean {
  const { was, is, old, fresh } = judged;
  if (!is.has(at) && !isThere(change, at)) return false;
  if (same(entry, fresh.get(at))) return true;
  const isMoved = was.get(entry.pointer) !== is.get(at);
  const isSources = same(entry, old.get(entry.pointer));
  return !isSources && !(isMoved && change.after.origins?.[at]);
}

/**
 * A document's ranges after a change of it; pointers are relative to the document. What comes
 * with a spread, from the catalogue or as a default, is given that range. Where the value is
 * typed over, the source's spread no longer speaks of it and goes; a range that the planner
 * set stays. Ranges of what is taken away go too.
 */
export function followed(ranges: readonly RangeEntry[], change: DocumentChange): Followed {
  const judged = sides(change);
  const { was, is, place, old, fresh } = judged;
  const result = new Map<string, RangeEntry>();
  for (const entry of ranges) {
    const at = place(entry.pointer);
    if (at !== undefined && stays(entry, at, change, judged)) {
      result.set(at, { ...entry, pointer: at });
    }
  }
  // What had this spread before and has no range had it taken away by the planner.
  const settled = new Map<string, Ends>();
  for (const [pointer, ends] of old) {
    const at = place(pointer);
    if (at !== undefined && was.get(pointer) === is.get(at)) settled.set(at, ends);
  }
  for (const [pointer, ends] of fresh) {
    if (result.has(pointer) || same(ends, settled.get(pointer))) continue;
    result.set(pointer, { pointer, ...ends });
  }
  const isShifted = Object.keys(change.before.provenance).some(
    (pointer) => place(pointer) !== pointer,
  );
  return {
    ranges: [...result.values()],
    moved: change.after.origins === null && isShifted ? judged.provenance : null,
  };
}

/** All ranges of a study after a change of the document below a prefix. */
export function followedBelow(
  ranges: readonly RangeEntry[],
  prefix: string,
  change: DocumentChange,
): Followed {
  const isBelow = (entry: RangeEntry) => entry.pointer.startsWith(`${prefix}/`);
  const own = ranges
    .filter(isBelow)
    .map((entry) => ({ ...entry, pointer: entry.pointer.slice(prefix.length) }));
  const others = ranges.filter((entry) => !isBelow(entry));
  const after = followed(own, change);
  const named = after.ranges.map((entry) => ({ ...entry, pointer: `${prefix}${entry.pointer}` }));
  return { ...after, ranges: [...others, ...named].slice(0, Math.max(RANGES_MOST, ranges.length)) };
}
