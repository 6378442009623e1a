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
});

function awayOf({ data, error }: { data?: { away: Away[] }; error: Error | null }): Away[] {
  return error ? [{ part: 'web', message: messageOf(error) }] : (data?.away ?? []);
}

/** What of the service does not answer at this moment, each with what that means. */
export function useAway(): Away[] {
  return awayOf(useQuery(serviceQueryOptions));
}

/** As `useAway`, once on a page: asks as soon as a request went unanswered, and what failed meanwhile again. */
export function useServiceWatch(): Away[] {
  const client = useQueryClient();
  // The event stream says it when it changes; without it, the page asks.
  const refetchInterval = () => (isLive() ? false : ASKED_EVERY_MS);
  const away = awayOf(useQuery({ ...serviceQueryOptions, refetchInterval }));
  const isAway = away.length > 0;
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
  return away;
}
