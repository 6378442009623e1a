import type { RangeEntry } from '../../lib/types';

/** The ranges of one document of the study, pointers relative to it. */
export function rangesOf(ranges: readonly RangeEntry[], prefix: string): RangeEntry[] {
  return ranges
    .filter((entry) => entry.pointer.startsWith(`${prefix}/`))
    .map((entry) => ({ ...entry, pointer: entry.pointer.slice(prefix.length) }));
}

export function withRange(
  ranges: readonly RangeEntry[],
  pointer: string,
  range: { low: number; high: number } | null,
): RangeEntry[] {
  const others = ranges.filter((entry) => entry.pointer !== pointer);
  // The quantity that it is sampled with stays its own.
  const before = ranges.find((entry) => entry.pointer === pointer);
  return range ? [...others, { ...before, pointer, ...range }] : others;
}
