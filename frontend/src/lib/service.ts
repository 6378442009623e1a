import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, body } from './api';
import { isLive, SERVICE_KEY } from './job-events';
import { messageOf, unanswered } from './problem';

export interface Away {
  part: string;
  message: string;
}

const ASKED_EVERY_MS = 2000;

const serviceQueryOptions = queryOptions({
  queryKey: SERVICE_KEY,
  queryFn: () => body<{ away: Away[] }>(api.GET('/api/v1/service')),
  retry: false,
  staleTime: Infinity,
  // The event stream says it when it changes; without it, the page asks.
  refetchInterval: () => (isLive() ? false : ASKED_EVERY_MS),
});

/** What of the service does not answer at this moment, each with what that means. */
export function useAway(): Away[] {
  const { data, error } = useQuery(serviceQueryOptions);
  return error ? [{ part: 'web', message: messageOf(error) }] : (data?.away ?? []);
}

/** Asks as soon as a request went unanswered; what failed meanwhile is asked again afterwards. */
export function useServiceWatch(): void {
  const client = useQueryClient();
  const isAway = useAway().length > 0;
  useEffect(() => {
    const ask = () => void client.invalidateQueries({ queryKey: SERVICE_KEY });
    unanswered.addEventListener('request', ask);
    return () => unanswered.removeEventListener('request', ask);
  }, [client]);
  useEffect(() => {
    if (isAway) return;
    const failed = {
      predicate: ({ state }: { state: { status: string } }) => state.status === 'error',
    };
    void client.refetchQueries(failed);
  }, [client, isAway]);
}
