import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api, body } from './api';
import { wholeOf, withDrawn } from './comparison';
import { isEnded, jobKey, pollInterval } from './job-events';
import type { JsonObject } from './pointer';
import type { Job, Page, Run } from './types';

export const runQueryOptions = (id: string) =>
  queryOptions({
    queryKey: jobKey('run', id),
    queryFn: () =>
      body<Run>(api.GET('/api/v1/runs/{run_id}', { params: { path: { run_id: id } } })),
    refetchInterval: (query) => pollInterval(query.state.data),
    staleTime: 0,
  });

export const runsQueryOptions = (study?: string) =>
  queryOptions({
    queryKey: ['jobs', 'run', study ?? null],
    queryFn: () =>
      body<Page<Run>>(api.GET('/api/v1/runs', { params: { query: { study, limit: 20 } } })),
    refetchInterval: (query) => {
      const open = query.state.data?.results.find((run) => !isEnded(run.state));
      return open ? pollInterval(open) : 30_000;
    },
  });

/**
 * What a run found. A result never changes, so it is asked for once; of a comparison with what
 * charts draw of two of its designs.
 */
export const resultQueryOptions = <R>(id: string, figures?: string) =>
  queryOptions({
    queryKey: ['runs', 'result', id, figures],
    queryFn: async () =>
      withDrawn<R>(
        await body(
          api.GET('/api/v1/runs/{run_id}/result', {
            params: { path: { run_id: id }, query: wholeOf(figures) },
          }),
        ),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });

type Asked = { study: string } | { model: string; params: object; seed?: number };

export const startRun = (asked: Asked) =>
  body<Run>(
    api.POST('/api/v1/runs', {
      body: 'study' in asked ? asked : { ...asked, params: asked.params as JsonObject },
    }),
  );

const POLL_MS = 300;

/** Waits until a job has ended; one that did not succeed is an error with its reason. */
export async function jobEnded<J extends Job>(job: J, ask: (id: string) => Promise<J>): Promise<J> {
  let now = job;
  while (!isEnded(now.state)) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    now = await ask(job.id);
  }
  if (now.state !== 'succeeded') throw new Error(now.error?.message ?? 'It was cancelled.');
  return now;
}

export const runEnded = (run: Run): Promise<Run> =>
  jobEnded(run, (id) =>
    body<Run>(api.GET('/api/v1/runs/{run_id}', { params: { path: { run_id: id } } })),
  );

/** A run that was started: its state is known at once, and the lists are asked again. */
export function noteRun(client: QueryClient, run: Run): void {
  client.setQueryData(jobKey('run', run.id), run);
  void client.invalidateQueries({ queryKey: ['jobs'] });
}

export function useStartRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (study: string) => startRun({ study }),
    onSuccess: (run) => noteRun(client, run),
  });
}

export function useCancelRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      api.POST('/api/v1/runs/{run_id}/cancel', { params: { path: { run_id: id } } }),
    onSettled: (_answer, _error, id) => {
      void client.invalidateQueries({ queryKey: ['job', id] });
      void client.invalidateQueries({ queryKey: ['jobs'] });
    },
  });
}
