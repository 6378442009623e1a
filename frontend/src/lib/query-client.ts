import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isStatus, Problem } from './problem';

export const SESSION_KEY = ['session'] as const;

const MOST_WAITS = 10;
const MS_PER_S = 1000;

/** Whether a request was refused for now alone, and is to be sent again after the time it names. */
export const mayPass = (count: number, error: Error): boolean =>
  isStatus(error, 429) && error.retryAfter !== null && count < MOST_WAITS;

/** The time that a refusal names; else longer after each failure. */
export function waitOf(count: number, error: Error): number {
  const named = error instanceof Problem ? error.retryAfter : null;
  return named === null ? Math.min(MS_PER_S * 2 ** count, 30 * MS_PER_S) : named * MS_PER_S;
}

function makeClient(): QueryClient {
  // An expired session shows the sign-in page, at the address that was asked for.
  const onError = (error: unknown) => {
    if (isStatus(error, 401)) client.setQueryData(SESSION_KEY, null);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (count, error) =>
          mayPass(count, error) || (count < 2 && !(error instanceof Problem && error.status < 500)),
        retryDelay: waitOf,
      },
    },
  });
  return client;
}

export { makeClient };
