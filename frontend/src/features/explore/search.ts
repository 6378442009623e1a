import { isObject, type Json, type JsonObject } from '../../lib/pointer';

export const VIEWS = [
  'advice',
  'nodes',
  'trends',
  'scaling',
  'board',
  'replay',
  'memory',
  'risk',
] as const;

export type View = (typeof VIEWS)[number];

/** What the address of an exploration says: which view, and what was changed in it. */
export interface ExploreSearch {
  view?: View;
  /** What was changed in the view, as it stands after the defaults. */
  s?: JsonObject;
}

export function exploreSearch(search: Record<string, unknown>): ExploreSearch {
  return {
    view: VIEWS.find((view) => view === search.view),
    s: isObject(search.s) && Object.keys(search.s).length > 0 ? search.s : undefined,
  };
}

/** What a state says beyond its defaults; nothing when it says no more. */
export function changes(state: JsonObject, initial: JsonObject): JsonObject | undefined {
  const entries = Object.entries(state).filter(([key, value]) => !same(value, initial[key]));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function same(one: Json | undefined, other: Json | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

// A longer address is cut by mail programs; what does not fit is kept in this browser only.
const LONGEST = 1800;

export function fitsAddress(changed: JsonObject | undefined): boolean {
  return changed === undefined || JSON.stringify(changed).length <= LONGEST;
}
