import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { isEnded } from '../../lib/job-events';
import { noteRun, resultQueryOptions, runQueryOptions, useCancelRun } from '../../lib/runs';
import type { JsonObject } from '../../lib/pointer';
import type { Run } from '../../lib/types';
import { startArray } from './api/run-array';
import type { ArrayResult } from './result';
import { runParams } from './run-params';
import type { ArraysState } from './types';

interface Started {
  letter: string;
  /** The question as asked, to see when the inputs have moved since. */
  asked: string;
  run: string | null;
  error: unknown;
}

/** Where the run of one array stands. */
export interface ArrayRun {
  letter: string;
  /** Whether the array or the workload were changed since it was started. */
  stale: boolean;
  run: Run | undefined;
  error: unknown;
  result: ArrayResult | undefined;
}

function askedOf(state: ArraysState, letter: string): string {
  const entry = state.entries.find((one) => one.letter === letter);
  return entry ? JSON.stringify([runParams(entry.array, state), state.seed]) : '';
}

const NO_MORE: JsonObject = {};

/** Until the run has an id, its letter stands in: two queries must not share a key. */
function idOf({ run, letter }: Started): string {
  return run ?? `none-${letter}`;
}

function fastPoll(started: Started) {
  const options = runQueryOptions(idOf(started));
  return {
    ...options,
    enabled: started.run !== null,
    // A short run is over before the event stream would tell.
    refetchInterval: (query: { state: { data: Run | undefined; dataUpdateCount: number } }) => {
      const { data, dataUpdateCount } = query.state;
      if (data && isEnded(data.state)) return false;
      return dataUpdateCount < 20 ? 60 : 500;
    },
  };
}

interface Answer<T> {
  data: T | undefined;
  error: unknown;
}

/** Only what is read of the queries: the same list while none of it changes. */
function pickAnswers<T>(queries: readonly Answer<T>[]): Answer<T>[] {
  return queries.map(({ data, error }) => ({ data, error }));
}

/** The runs of the arrays on the page: started together, watched, cancelled. */
export function useRuns(state: ArraysState, more: JsonObject = NO_MORE) {
  const client = useQueryClient();
  const cancelRun = useCancelRun();
  const [started, setStarted] = useState<Started[]>([]);
  const runs = useQueries({ queries: started.map(fastPoll), combine: pickAnswers<Run> });
  const results = useQueries({
    queries: started.map((one, at) => ({
      ...resultQueryOptions<ArrayResult>(idOf(one)),
      enabled: one.run !== null && runs[at]?.data?.state === 'succeeded',
    })),
    combine: pickAnswers<ArrayResult>,
  });

  const simulate = useCallback(async () => {
    const begun = state.entries.map(({ letter }) => ({
      letter,
      asked: askedOf(state, letter),
      run: null,
      error: null,
    }));
    setStarted(begun);
    await Promise.all(
      state.entries.map(async ({ letter, array }) => {
        const put = (change: Partial<Started>) =>
          setStarted((now) =>
            now.map((one) => (one.letter === letter ? { ...one, ...change } : one)),
          );
        try {
          const run = await startArray(array, state, more);
          noteRun(client, run);
          put({ run: run.id });
        } catch (error) {
          put({ error });
        }
      }),
    );
  }, [client, state, more]);

  const rows = useMemo(
    () =>
      started.map((one, at) => ({
        letter: one.letter,
        stale: one.asked !== askedOf(state, one.letter),
        run: runs[at]?.data,
        error: one.error ?? runs[at]?.error ?? results[at]?.error ?? null,
        result: results[at]?.data,
      })),
    [started, state, runs, results],
  );
  const isOpen = (row: ArrayRun) =>
    row.error === null &&
    row.result === undefined &&
    !(row.run && (row.run.state === 'failed' || row.run.state === 'cancelled'));
  const open = rows.filter(isOpen);
  const cancel = () => {
    for (const { run } of open) if (run && !isEnded(run.state)) cancelRun.mutate(run.id);
  };
  return { rows, open, working: open.length > 0, simulate, cancel };
}

export type Runs = ReturnType<typeof useRuns>;
