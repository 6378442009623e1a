import { queryOptions, useQuery } from '@tanstack/react-query';
import { ROLES } from './roles';
import { api, body } from './api';
import { isStatus } from './problem';
import { SESSION_KEY } from './query-client';
import type { Session } from './types';

async function getSession(): Promise<Session | null> {
  try {
    return await body<Session>(api.GET('/api/v1/session'));
  } catch (error) {
    if (isStatus(error, 401)) return null;
    throw error;
  }
}

/** Who is signed in; null when nobody is. */
export const sessionQueryOptions = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: getSession,
  staleTime: 5 * 60_000,
});

export function useSession(): Session | null {
  return useQuery(sessionQueryOptions).data ?? null;
}

/** Whether one may change what the workspace holds. */
export function useMayEdit(): boolean {
  const session = useSession();
  return session === null || ROLES[session.workspace.role].mayEdit;
}
