import { isObject, type Json, type JsonObject } from './pointer';

type Held = Json | undefined;

/** What entries of lists are known by, best first. */
const NAMES = ['id', 'letter', 'pointer', 'name', 'title'] as const;

const same = (one: Held, other: Held) => JSON.stringify(one) === JSON.stringify(other);

/** Entries by name, where each entry of every list has a name of its own; else null. */
function byName(lists: readonly (readonly Json[])[]): Map<string, Json>[] | null {
  for (const name of NAMES) {
    const maps = lists.map(
      (list) => new Map(list.map((one) => [isObject(one) ? one[name] : undefined, one])),
    );
    const areNamed = maps.every(
      (map, at) =>
        map.size === lists[at]?.length && [...map.keys()].every((key) => typeof key === 'string'),
    );
    if (areNamed) return maps as Map<string, Json>[];
  }
  return null;
}

function mergedLists(
  base: readonly Json[],
  mine: readonly Json[],
  theirs: readonly Json[],
  levels: number,
): Json[] {
  const maps = byName([base, mine, theirs]);
  const [before, own, others] = maps ?? [];
  if (!before || !own || !others) return [...mine];
  const shared = (keys: Iterable<string>) => [...keys].filter((key) => before.has(key));
  const isReordered = !same(
    shared(own.keys()),
    [...before.keys()].filter((key) => own.has(key)),
  );
  const [first, second] = isReordered ? [own, others] : [others, own];
  const merged = [...new Set([...first.keys(), ...second.keys()])].map((key) =>
    threeWay(before.get(key), own.get(key), others.get(key), levels),
  );
  return merged.filter((one) => one !== undefined);
}

/**
 * What is stored (`theirs`) with what was changed from `base` to `mine`, and only that. Objects are
 * merged key by key as many levels down as asked, lists entry by entry where entries have names,
 * else whole; a change of both sides is mine. Objects of another kind share no fields.
 */
export function threeWay(base: Held, mine: Held, theirs: Held, levels = Infinity): Held {
  if (same(base, mine)) return theirs;
  if (levels <= 0) return mine;
  if (isObject(mine) && isObject(theirs) && mine.kind === theirs.kind) {
    const before: JsonObject = isObject(base) ? base : {};
    const keys = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
    const merged = [...keys].map(
      (key) => [key, threeWay(before[key], mine[key], theirs[key], levels - 1)] as const,
    );
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined)) as JsonObject;
  }
  if (Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs)) {
    return mergedLists(base, mine, theirs, levels - 1);
  }
  return mine;
}
