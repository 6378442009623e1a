import type { Comparison } from '../../lib/comparison';
import type { Json } from '../../lib/pointer';
import type { RangeEntry } from '../../lib/types';

export type Quantity = Comparison['quantities'][number];

export interface Correlation {
  first: string;
  second: string;
  spearman_ratio: number;
}

type Changes = Record<string, Json>;

/** What the plan takes for a name at most. */
const NAME_MOST = 120;

interface Held {
  ranges: readonly RangeEntry[];
  correlations: readonly Correlation[];
}

/** Ranges under other quantities; correlations of quantities that are no more go with them. */
function changed(held: Held, names: ReadonlyMap<string, string | null>, gone: readonly string[]) {
  const ranges = held.ranges.map((range) => {
    const name = names.get(range.pointer);
    return name === undefined ? range : { ...range, quantity: name };
  });
  const kept = held.correlations.filter(
    ({ first, second }) => !gone.includes(first) && !gone.includes(second),
  );
  const changes: Changes = { '/ranges': ranges as unknown as Json };
  if (kept.length < held.correlations.length) {
    changes['/assumptions/correlations'] = kept as unknown as Json;
  }
  return changes;
}

const named = (quantity: Quantity, name: string | null) =>
  quantity.members.map(({ pointer }) => [pointer, name] as const);

/** A name that no quantity has. */
function free(wanted: string, all: readonly Quantity[]): string {
  const taken = new Set(all.flatMap(({ key, label }) => [key, label]));
  let name = wanted.slice(0, NAME_MOST);
  for (let count = 2; taken.has(name); count += 1) {
    name = `${wanted.slice(0, NAME_MOST - 4)} ${count}`;
  }
  return name;
}

/** One input varies on its own from now on. */
export function split(held: Held, all: readonly Quantity[], pointer: string): Changes {
  const quantity = all.find(({ members }) => members.some((one) => one.pointer === pointer));
  const member = quantity?.members.find((one) => one.pointer === pointer);
  if (!quantity || !member) return {};
  const gone = quantity.members.length === 1 ? [quantity.key] : [];
  return changed(held, new Map([[pointer, free(`${member.label}, apart`, all)]]), gone);
}

/** Two quantities are one from now on: their inputs vary together. */
export function join(held: Held, one: Quantity, other: Quantity): Changes {
  const name = other.by_hand ? other.key : other.label.slice(0, NAME_MOST);
  const names = new Map([...named(one, name), ...named(other, name)]);
  return changed(held, names, [one.key, ...(other.key === name ? [] : [other.key])]);
}

/** Inputs of a quantity made by hand go back to where the rule puts them. */
export const byRule = (held: Held, quantity: Quantity): Changes =>
  changed(held, new Map(named(quantity, null)), [quantity.key]);
