import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { CreatedToken, Page, Scope, Token } from '../../../lib/types';

const KEY = ['tokens'] as const;

export const tokensQueryOptions = queryOptions({
  queryKey: KEY,
  queryFn: () => body<Page<Token>>(api.GET('/api/v1/tokens')),
});

export interface NewToken {
  title: string;
  scopes: Scope[];
  expires_at: string | null;
}

export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: NewToken) =>
      body<CreatedToken>(api.POST('/api/v1/tokens', { body: token })),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
  });
}

export function useRevokeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      api.DELETE('/api/v1/tokens/{token_id}', { params: { path: { token_id: id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
