import type { Json, JsonObject } from './pointer';

/** What a state says beyond its defaults; nothing when it says no more. */
export function changes(state: JsonObject, initial: JsonObject): JsonObject | undefined {
  const entries = Object.entries(state).filter(([key, value]) => !same(value, initial[key]));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

export function same(one: Json | undefined, other: Json | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

// A longer address is cut by mail programs; what does not fit is kept in this browser only.
const LONGEST = 1800;

export function fitsAddress(changed: JsonObject | undefined): boolean {
  return changed === undefined || JSON.stringify(changed).length <= LONGEST;
}
