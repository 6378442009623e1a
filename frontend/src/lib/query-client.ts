import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isStatus, Problem } from './problem';

export const SESSION_KEY = ['session'] as const;

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
        retry: (count, error) => count < 2 && !(error instanceof Problem && error.status < 500),
      },
    },
  });
  return client;
}

export { makeClient };
