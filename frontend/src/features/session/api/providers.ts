import { useMutation } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { components } from '../../../api-types/schema';

export type ProviderAnswer =
  | { by: 'openid'; given: components['schemas']['OpenIdAnswerInputRequest'] }
  | { by: 'saml'; given: components['schemas']['SamlAnswerInputRequest'] };

/** What a sign-in provider put into the address that it led back to; null elsewhere. */
export function answerIn(pathname: string, search: string): ProviderAnswer | null {
  const by = pathname.slice(1);
  const { state, ...given } = Object.fromEntries(new URLSearchParams(search));
  if (!state) return null;
  if (by === 'saml') return { by, given: { state, code: given.code } };
  const { code, iss, error } = given;
  return by === 'openid' ? { by, given: { state, code, iss, error } } : null;
}

/** Goes to a sign-in provider's page. */
export const useProvider = (by: ProviderAnswer['by']) =>
  useMutation({
    mutationFn: async () => {
      const { url } = await body<{ url: string }>(api.POST(`/api/v1/session/${by}`));
      location.assign(url);
    },
  });
