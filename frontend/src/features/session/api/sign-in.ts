import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import { Problem } from '../../../lib/problem';
import { SESSION_KEY } from '../../../lib/query-client';
import type { ProviderAnswer } from './providers';
import type { Session } from '../../../lib/types';

export type Credentials =
  { code: string } | { email: string; password: string; otp?: string } | ProviderAnswer;

const answered = (answer: ProviderAnswer) =>
  answer.by === 'saml'
    ? api.POST('/api/v1/session/saml/answer', { body: answer.given })
    : api.POST('/api/v1/session/openid/answer', { body: answer.given });

export const signIn = (given: Credentials) =>
  body<Session>('by' in given ? answered(given) : api.POST('/api/v1/session', { body: given }));

/** Whether all is right but for a one-time code. */
export const isCodeNeeded = (error: unknown): error is Problem =>
  error instanceof Problem && error.body.type === 'urn:ampacity:code_needed';

/** What one's security keys are asked by, after address and password; it is good once. */
export async function keyRequestOf(given: { email: string; password: string }): Promise<object> {
  const refused: unknown = await signIn(given).catch((error: unknown) => error);
  if (isCodeNeeded(refused) && refused.body.key_request) return refused.body.key_request;
  throw refused instanceof Error ? refused : new Error('No key is asked for. Load the page again.');
}

/** Signs in; what was loaded for nobody is loaded again for the one who came. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: signIn,
    onSuccess: async (session) => {
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== SESSION_KEY[0] });
      client.setQueryData(SESSION_KEY, session);
    },
  });
}
