import { useQuery, type QueryClient } from '@tanstack/react-query';
import { read, type Json } from '../../lib/pointer';
import { studyKey } from '../../lib/studies';
import type { Design, RangeEntry, Study } from '../../lib/types';

/** A range that stayed while its value changed, and no longer fits it. */
export type RangeLeft = Study['ranges_left'][number];

const keyOf = (studyId: string) => [...studyKey(studyId), 'ranges left'] as const;

/** Two changes in a row as one: from the first value to the last, the range moved along by both. */
function joined(earlier: RangeLeft, later: RangeLeft): RangeLeft {
  const { before, after } = later;
  const along = (end: number) => (before === 0 ? end + after : end * (after / before));
  return {
    ...later,
    before: earlier.before,
    moved_low: along(earlier.moved_low),
    moved_high: along(earlier.moved_high),
  };
}

/** What is left after an answer; `valueAt` reads what it holds, undefined where it has no say. */
export function leftAfter(
  held: readonly RangeLeft[],
  fresh: readonly RangeLeft[],
  valueAt: (pointer: string) => Json | undefined,
): RangeLeft[] {
  const earlier = new Map(held.map((one) => [one.pointer, one]));
  const news = fresh.map((one) => {
    const before = earlier.get(one.pointer);
    if (before?.low !== one.low || before?.high !== one.high) return one;
    // An answer is noted more than once.
    if (before?.after === one.after) return before ?? one;
    return before?.after === one.before && before ? joined(before, one) : one;
  });
  const named = new Set(fresh.map(({ pointer }) => pointer));
  const stays = held.filter(({ pointer, after }) => {
    const value = valueAt(pointer);
    return !named.has(pointer) && (value === undefined || value === after);
  });
  return [...stays, ...news];
}

function note(
  client: QueryClient,
  studyId: string,
  fresh: readonly RangeLeft[],
  valueAt: (pointer: string) => Json | undefined,
): void {
  client.setQueryData<RangeLeft[]>(keyOf(studyId), (held = []) => leftAfter(held, fresh, valueAt));
}

export function noteDesignLeft(client: QueryClient, design: Design): void {
  const prefix = `/designs/${design.letter}`;
  note(client, design.study, design.ranges_left, (pointer) =>
    pointer.startsWith(`${prefix}/`) ? read(design.spec, pointer.slice(prefix.length)) : undefined,
  );
}

export function noteStudyLeft(client: QueryClient, study: Study): void {
  const designs = study.designs.map(({ letter, spec }) => ({ ...spec, letter }));
  const document = { ...study, designs } as unknown as Json;
  note(client, study.id, study.ranges_left, (pointer) => read(document, pointer));
}

/** The ranges that are to be settled: those that are still as they were left. */
export function useRangesLeft(studyId: string, ranges: readonly RangeEntry[]): RangeLeft[] {
  const { data = [] } = useQuery<RangeLeft[]>({
    queryKey: keyOf(studyId),
    queryFn: () => [],
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data.filter(({ pointer, low, high }) =>
    ranges.some((one) => one.pointer === pointer && one.low === low && one.high === high),
  );
}

/** Takes ranges off the list: they were settled, or are kept as they are. */
export function settleLeft(client: QueryClient, studyId: string, pointer: string): void {
  client.setQueryData<RangeLeft[]>(keyOf(studyId), (held = []) =>
    held.filter((one) => one.pointer !== pointer),
  );
}
