import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, body } from '../../../lib/api';
import { isEnded, jobKey } from '../../../lib/job-events';
import { runQueryOptions, useCancelRun } from '../../../lib/runs';
import type { Run } from '../../../lib/types';

const resultQueryOptions = <R>(id: string) =>
  queryOptions({
    queryKey: ['explore', 'result', id],
    queryFn: async () => {
      const answer = await body<{ result: R }>(
        api.GET('/api/v1/runs/{run_id}/result', { params: { path: { run_id: id } } }),
      );
      return answer.result;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

const lastRun = (key: string) => sessionStorage.getItem(key);

function keptContext<C>(key: string): C | null {
  try {
    return JSON.parse(sessionStorage.getItem(`${key}.asked`) ?? 'null') as C | null;
  } catch {
    return null;
  }
}

interface Asked<C> {
  params: object;
  /** What is drawn with the result, as it was when it was asked for. */
  context?: C;
}

/** A model that takes longer: started by hand, followed while it works, its result kept. */
export function useModelRun<R, C = null>(model: string, name: string) {
  const client = useQueryClient();
  const key = `ampacity.explore.run.${name}`;
  const [id, setId] = useState<string | null>(() => lastRun(key));
  const [asked, setAsked] = useState<C | null>(() => keptContext<C>(key));
  const start = useMutation({
    mutationFn: ({ params }: Asked<C>) =>
      body<Run>(
        api.POST('/api/v1/runs', { body: { model, params: params as Record<string, unknown> } }),
      ),
    onSuccess: (run, { context }) => {
      sessionStorage.setItem(`${key}.asked`, JSON.stringify(context ?? null));
      setAsked(context ?? null);
      client.setQueryData(jobKey('run', run.id), run);
      void client.invalidateQueries({ queryKey: ['jobs'] });
      sessionStorage.setItem(key, run.id);
      setId(run.id);
    },
  });
  const run = useQuery({ ...runQueryOptions(id ?? ''), enabled: id !== null });
  const done = run.data?.state === 'succeeded';
  const result = useQuery({ ...resultQueryOptions<R>(id ?? ''), enabled: id !== null && done });
  const [shown, setShown] = useState<R | null>(null);
  if (result.data && result.data !== shown) setShown(result.data);
  const cancel = useCancelRun();
  return {
    run: run.data,
    /** The last result that came, also while the next one is computed. */
    result: result.data ?? shown,
    working: start.isPending || (run.data !== undefined && !isEnded(run.data.state)),
    error: start.error ?? run.error ?? result.error,
    /** What was given with the last question. */
    asked,
    start: start.mutate,
    cancel: () => id && cancel.mutate(id),
  };
}
