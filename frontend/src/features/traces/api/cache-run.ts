import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, body } from '../../../lib/api';
import { isEnded, jobKey } from '../../../lib/job-events';
import { runQueryOptions, useCancelRun } from '../../../lib/runs';
import type { JsonObject } from '../../../lib/pointer';
import type { Run } from '../../../lib/types';
import { CACHE_MODEL, type CacheAnswer } from '../cache';

const resultQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'result', id],
    queryFn: async () => {
      const answer = await body<{ result: CacheAnswer }>(
        api.GET('/api/v1/runs/{run_id}/result', { params: { path: { run_id: id } } }),
      );
      return answer.result;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The advisor on caches for one trace: started by hand, followed, its last run kept. */
export function useCacheRun(traceId: string) {
  const client = useQueryClient();
  const key = `ampacity.trace.cache.${traceId}`;
  const [id, setId] = useState(() => sessionStorage.getItem(key));
  const start = useMutation({
    mutationFn: (params: JsonObject) =>
      body<Run>(api.POST('/api/v1/runs', { body: { model: CACHE_MODEL, params } })),
    onSuccess: (run) => {
      client.setQueryData(jobKey('run', run.id), run);
      void client.invalidateQueries({ queryKey: ['jobs'] });
      sessionStorage.setItem(key, run.id);
      setId(run.id);
    },
  });
  const run = useQuery({ ...runQueryOptions(id ?? 'none'), enabled: id !== null });
  const done = run.data?.state === 'succeeded';
  const result = useQuery({ ...resultQueryOptions(id ?? 'none'), enabled: id !== null && done });
  const cancel = useCancelRun();
  return {
    run: run.data,
    result: done ? result.data : undefined,
    working: start.isPending || (run.data !== undefined && !isEnded(run.data.state)),
    error: start.error ?? run.error ?? result.error,
    start: start.mutate,
    cancelling: cancel.isPending,
    cancel: () => id && cancel.mutate(id),
  };
}
