import { useMutation } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { components } from '../../../api-types/schema';

export type OpenIdAnswer = components['schemas']['OpenIdAnswerInputRequest'];

/** What the sign-in provider put into the address that it led back to; null elsewhere. */
export function answerIn(pathname: string, search: string): OpenIdAnswer | null {
  const given = new URLSearchParams(search);
  const state = given.get('state');
  if (pathname !== '/openid' || !state) return null;
  const answer: OpenIdAnswer = { state };
  for (const name of ['code', 'iss', 'error'] as const) {
    const value = given.get(name);
    if (value) answer[name] = value;
  }
  return answer;
}

/** Goes to the sign-in provider's page. */
export const useOpenId = () =>
  useMutation({
    mutationFn: async () => {
      const { url } = await body<{ url: string }>(api.POST('/api/v1/session/openid'));
      location.assign(url);
    },
  });
