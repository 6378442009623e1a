import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { Deletion } from '../../../lib/types';

const ACCOUNT = ['account-deletion'] as const;
const placeOf = (workspace_id: string) => ['workspace-deletion', workspace_id] as const;

export const useWorkspaceDeletion = (workspace_id: string) =>
  useQuery({
    queryKey: placeOf(workspace_id),
    queryFn: () =>
      body<Deletion>(
        api.GET('/api/v1/workspaces/{workspace_id}/deletion', {
          params: { path: { workspace_id } },
        }),
      ),
  });

/** Has the workspace deleted, by its name; without one keeps it. */
export function useDeleteWorkspace(workspace_id: string) {
  const client = useQueryClient();
  const params = { path: { workspace_id } };
  return useMutation({
    mutationFn: async (name: string | null) => {
      if (name === null) await api.DELETE('/api/v1/workspaces/{workspace_id}/deletion', { params });
      else await api.POST('/api/v1/workspaces/{workspace_id}/deletion', { params, body: { name } });
    },
    onSettled: () => client.invalidateQueries({ queryKey: placeOf(workspace_id) }),
  });
}

export const useAccountDeletion = () =>
  useQuery({
    queryKey: ACCOUNT,
    queryFn: () => body<Deletion>(api.GET('/api/v1/account/deletion')),
  });

/** Has one's account deleted, by its address; without one keeps it. */
export function useDeleteAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (email: string | null) => {
      if (email === null) await api.DELETE('/api/v1/account/deletion');
      else await api.POST('/api/v1/account/deletion', { body: { email } });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ACCOUNT }),
  });
}
