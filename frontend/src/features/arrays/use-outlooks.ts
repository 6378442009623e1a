import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { messageOf, Problem, type Fault } from '../../lib/problem';
import { outlookQueryOptions } from './api/outlook';
import type { Outlook } from './result';
import type { ArraysState } from './types';

/** What is known of an array at once; what is wrong with it where nothing is. */
export interface Known {
  outlook: Outlook | null;
  faults: readonly Fault[];
  error: string | null;
}

export const NOTHING_KNOWN: Known = { outlook: null, faults: [], error: null };

interface Answer {
  data: Outlook | undefined;
  error: unknown;
}

/** Only what is read of the queries: the same list while none of it changes. */
const pickAnswers = (queries: readonly Answer[]): Answer[] =>
  queries.map(({ data, error }) => ({ data, error }));

function knownOf({ data, error }: Answer): Known {
  if (!error) return { ...NOTHING_KNOWN, outlook: data ?? null };
  const faults = error instanceof Problem ? error.faults : [];
  return { outlook: null, faults, error: messageOf(error) };
}

/** What can be said of each array at once, by letter. */
export function useOutlooks(state: ArraysState): Map<string, Known> {
  const queries = useQueries({
    queries: state.entries.map((entry) => outlookQueryOptions(entry, state)),
    combine: pickAnswers,
  });
  return useMemo(
    () =>
      new Map(
        state.entries.map(({ letter }, at) => {
          const query = queries[at];
          return [letter, query ? knownOf(query) : NOTHING_KNOWN];
        }),
      ),
    [state.entries, queries],
  );
}
