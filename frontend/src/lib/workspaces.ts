import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api, body, rows } from './api';
import { SESSION_KEY } from './query-client';
import type { Session, Workspace } from './types';

export const workspacesQueryOptions = queryOptions({
  queryKey: ['workspaces'],
  queryFn: () => rows<Workspace>(api.GET('/api/v1/workspaces')),
});

/** Everything that was loaded is another workspace's: forget it. */
export async function forgetAll(client: QueryClient, session?: Session): Promise<void> {
  if (session) client.setQueryData(SESSION_KEY, session);
  else await client.invalidateQueries({ queryKey: SESSION_KEY });
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== SESSION_KEY[0] });
}

export function useEnter() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (workspace: string) =>
      body<Session>(api.POST('/api/v1/session/workspace', { body: { workspace } })),
    onSuccess: (session) => forgetAll(client, session),
  });
}

/** Makes a workspace and goes there. */
export function useCreateWorkspace() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => {
      const made = await body<Workspace>(api.POST('/api/v1/workspaces', { body: { name } }));
      return body<Session>(api.POST('/api/v1/session/workspace', { body: { workspace: made.id } }));
    },
    onSuccess: (session) => forgetAll(client, session),
  });
}

export function useRenameWorkspace() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ workspace_id, name }: { workspace_id: string; name: string }) =>
      api.PATCH('/api/v1/workspaces/{workspace_id}', {
        params: { path: { workspace_id } },
        body: { name },
      }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: SESSION_KEY }),
        client.invalidateQueries({ queryKey: ['workspaces'] }),
      ]),
  });
}

export function useLeaveWorkspace() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (workspace_id: string) =>
      api.POST('/api/v1/workspaces/{workspace_id}/leave', { params: { path: { workspace_id } } }),
    onSuccess: () => forgetAll(client),
  });
}
