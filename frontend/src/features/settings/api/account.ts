import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { PasswordState } from '../../../lib/types';

const PASSWORD = ['password'] as const;

export const passwordQueryOptions = queryOptions({
  queryKey: PASSWORD,
  queryFn: () => body<PasswordState>(api.GET('/api/v1/password')),
});

export interface PasswordChange {
  old?: string;
  new: string;
}

/** One's other sessions end with it. */
export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: PasswordChange) =>
      body<PasswordState>(api.POST('/api/v1/password', { body: change })),
    onSuccess: (state) => client.setQueryData(PASSWORD, state),
  });
}
