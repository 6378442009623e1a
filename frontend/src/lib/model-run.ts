import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isEnded } from './job-events';
import { noteRun, resultQueryOptions, runQueryOptions, startRun, useCancelRun } from './runs';
import { keep, kept } from './shelf';

interface Asked<C> {
  params: object;
  /** What is drawn with the result, as it was when it was asked for. */
  context?: C;
  /** A run that answered it. */
  run?: string;
}

/**
 * A model that takes longer: run on the workers, followed while it works. The last run is kept in
 * the session storage under `key`, what was asked with it under `key` and `.asked`. Where none is,
 * the run of `first` is shown, or `first` asked as soon as this is shown; what the workspace was
 * answered before is not computed again.
 */
export function useModelRun<R, C = null>(model: string, key: string, first?: Asked<C>) {
  const client = useQueryClient();
  const [id, setId] = useState(() => sessionStorage.getItem(key) ?? first?.run ?? null);
  const [asked, setAsked] = useState(
    () => kept<C>(sessionStorage, `${key}.asked`) ?? (first?.run ? (first.context ?? null) : null),
  );
  const start = useMutation({
    mutationFn: ({ params }: Asked<C>) => startRun({ model, params }),
    onSuccess: (run, { context }) => {
      keep(sessionStorage, `${key}.asked`, context);
      setAsked(context ?? null);
      noteRun(client, run);
      sessionStorage.setItem(key, run.id);
      setId(run.id);
    },
  });
  const begun = useRef(id !== null);
  const begin = start.mutate;
  useEffect(() => {
    if (first === undefined || begun.current) return;
    begun.current = true;
    begin(first);
  }, [first, begin]);
  const run = useQuery({ ...runQueryOptions(id ?? 'none'), enabled: id !== null });
  const done = run.data?.state === 'succeeded';
  const result = useQuery({
    ...resultQueryOptions<R>(id ?? 'none'),
    enabled: id !== null && done,
  });
  const [shown, setShown] = useState<R | null>(null);
  if (result.data && result.data !== shown) setShown(result.data);
  const cancel = useCancelRun();
  return {
    run: run.data,
    /** The last result that came, also while the next one is computed. */
    result: result.data ?? shown,
    /** The result of this very run, once it is done. */
    current: done ? (result.data ?? null) : null,
    working: start.isPending || (run.data !== undefined && !isEnded(run.data.state)),
    error: start.error ?? run.error ?? result.error,
    /** What was given with the last question. */
    asked,
    start: start.mutate,
    cancelling: cancel.isPending,
    cancel: () => id && cancel.mutate(id),
  };
}
