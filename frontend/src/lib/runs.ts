import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body } from './api';
import { isEnded, jobKey, pollInterval } from './job-events';
import type { Page, Run } from './types';

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

export function useStartRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (study: string) => body<Run>(api.POST('/api/v1/runs', { body: { study } })),
    onSuccess: (run) => {
      client.setQueryData(jobKey('run', run.id), run);
      void client.invalidateQueries({ queryKey: ['jobs'] });
    },
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
