import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answerQueryOptions } from '../../../lib/answers';
import type { Science } from '../../../lib/science';
import type { Answered } from '../result';
import type { Planned } from '../use-beside';

export type Verdict = Science['storage.array_verdict.Result'];

/** The model that says what runs of arrays come to. */
export const VERDICT = 'storage.array_verdict';

const verdictQueryOptions = (arrays: readonly object[]) =>
  answerQueryOptions<Verdict, Verdict>(
    VERDICT,
    arrays.length === 0 ? null : { arrays },
    ({ result }) => result,
  );

/** Runs of arrays as their verdict takes them. */
export function verdictParams(rows: readonly Answered[]) {
  return rows.map(({ letter, title, result }) => {
    // What a run says alone is not said here.
    const run = { ...result, figures: [], tables: [] };
    return { letter, title, result: JSON.stringify(run) };
  });
}

/** What these runs of arrays say side by side: nothing of others, while it is asked for. */
export function useVerdict(rows: readonly Answered[]): Verdict | undefined {
  const arrays = useMemo(() => verdictParams(rows), [rows]);
  const { data, isPlaceholderData } = useQuery(verdictQueryOptions(arrays));
  return rows.length > 0 && !isPlaceholderData ? data : undefined;
}

/** What the plan says of the same arrays: asked apart, since it changes as one types. */
export function usePlanTables(rows: readonly Answered[], planned: ReadonlyMap<string, Planned>) {
  const arrays = rows.map(({ letter, title, result: { withheld } }) => {
    const { measures: figures = [], reason: why_none = null } = planned.get(letter) ?? {};
    return { letter, title, withheld, figures, why_none };
  });
  const { data } = useQuery(verdictQueryOptions(arrays));
  return rows.length > 0 ? (data?.tables ?? []) : [];
}
