import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { InvitationLook, Session } from '../../../lib/types';
import { forgetAll } from '../../../lib/workspaces';

export const useInvitation = (token: string) =>
  useQuery({
    queryKey: ['invitation', token],
    queryFn: () => body<InvitationLook>(api.POST('/api/v1/join/look', { body: { token } })),
    staleTime: Infinity,
  });

export function useJoin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (given: { token: string; email?: string; password?: string }) =>
      body<Session>(api.POST('/api/v1/join', { body: given })),
    onSuccess: (session) => forgetAll(client, session),
  });
}
