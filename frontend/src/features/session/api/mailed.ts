import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { Door, MailedLook, Session } from '../../../lib/types';
import { forgetAll } from '../../../lib/workspaces';

/** Who may make an account here, and whether there is mail. */
export const doorQueryOptions = queryOptions({
  queryKey: ['door'],
  queryFn: () => body<Door>(api.GET('/api/v1/sign-up')),
  staleTime: Infinity,
});

export type Asked = 'sign_up' | 'reset';

/** Asks for a link by mail. */
export const useAskForLink = () =>
  useMutation({
    mutationFn: ({ what, email }: { what: Asked; email: string }) =>
      what === 'sign_up'
        ? api.POST('/api/v1/sign-up', { body: { email } })
        : api.POST('/api/v1/password/forgotten', { body: { email } }),
  });

export const useMailedLook = (token: string) =>
  useQuery({
    queryKey: ['mailed', token],
    queryFn: () => body<MailedLook>(api.POST('/api/v1/mailed/look', { body: { token } })),
    staleTime: Infinity,
  });

export function useMailed() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (given: { token: string; password?: string; otp?: string }) =>
      body<Session>(api.POST('/api/v1/mailed', { body: given })),
    onSuccess: (session) => forgetAll(client, session),
  });
}
