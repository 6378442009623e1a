import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answerQueryOptions } from '../../../lib/answers';
import type { Science } from '../../../lib/science';
import type { Answered } from '../result';
import type { Planned } from '../use-beside';

export type Verdict = Science['storage.array_verdict.Result'];

const verdictQueryOptions = (arrays: readonly object[]) =>
  answerQueryOptions<Verdict, Verdict>(
    'storage.array_verdict',
    arrays.length === 0 ? null : { arrays },
    ({ result }) => result,
  );

/** What the runs of arrays say side by side; the one before stays until there is another. */
export function useVerdict(rows: readonly Answered[]): Verdict | undefined {
  const arrays = useMemo(
    () =>
      rows.map(({ letter, title, result }) => {
        // What a run says alone is not said here.
        const run = { ...result, figures: [], tables: [] };
        return { letter, title, result: JSON.stringify(run) };
      }),
    [rows],
  );
  const { data } = useQuery(verdictQueryOptions(arrays));
  return rows.length > 0 ? data : undefined;
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
