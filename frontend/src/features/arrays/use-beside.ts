import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { messageOf } from '../../lib/problem';
import { designQueryOptions, type StudyDesign } from './api/design';
import type { ArrayResult } from './result';
import type { ArraysState } from './types';

export interface Planned {
  /** As a study has the array; nothing before an answer of what is entered now. */
  design: StudyDesign | null;
  /** What holds before it is simulated. */
  atOnce: StudyDesign['at_once'] | null;
  /** Why there are none. */
  reason: string | null;
  /** To stand in a table beside those of others. */
  measures: StudyDesign['measures'];
}

/** What the plan says of each array, by letter; with a run's findings where there are any. */
export function usePlanned(
  state: ArraysState,
  results: ReadonlyMap<string, ArrayResult | undefined>,
): Map<string, Planned> {
  const queries = useQueries({
    queries: state.entries.map(({ letter, array }) =>
      designQueryOptions(array, state, results.get(letter)),
    ),
    combine: pickAnswers,
  });
  return useMemo(
    () =>
      new Map(
        state.entries.map(({ letter }, at) => {
          const query = queries[at];
          const refused = query?.error ? messageOf(query.error) : null;
          const said = refused === null ? (query?.data ?? null) : null;
          const design = query?.isPlaceholderData ? null : said;
          const reason = refused ?? said?.why_no_figures ?? null;
          const { at_once: atOnce = null, measures = [] } = said ?? {};
          return [letter, { design, atOnce, reason, measures }];
        }),
      ),
    [state.entries, queries],
  );
}

interface Answer {
  data: StudyDesign | undefined;
  isPlaceholderData: boolean;
  error: unknown;
}

/** Only what is read of the queries: the same list while none of it changes. */
function pickAnswers(queries: readonly Answer[]): Answer[] {
  return queries.map(({ data, isPlaceholderData, error }) => ({ data, isPlaceholderData, error }));
}
