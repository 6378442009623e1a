import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { components } from '../../../api-types/schema';
import { api, body } from '../../../lib/api';
import { askKey, makeKey } from '../../../lib/security-keys';

type Schemas = components['schemas'];
export type SecurityKey = Schemas['SecurityKeyOutput'];
export type TwoStepBegun = Schemas['TwoStepBegunOutput'];
type Both = Schemas['TwoStepBothInputRequest'];

export const twoStepQueryOptions = queryOptions({
  queryKey: ['two-step'],
  queryFn: () => body<Schemas['TwoStepOutput']>(api.GET('/api/v1/two-step')),
});

/** Makes a secret for an authenticator. */
export const useBeginTwoStep = () =>
  useMutation({
    mutationFn: (password: string) =>
      body<TwoStepBegun>(api.POST('/api/v1/two-step', { body: { password } })),
  });

function useChange<Given, Made>(change: (given: Given) => Promise<Made>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries(twoStepQueryOptions),
  });
}

const codesOf = async (answer: Promise<{ data?: unknown }>) =>
  (await body<Schemas['RecoveryOutput']>(answer)).recovery_codes;

/** Turns codes on; answers with recovery codes. */
export const useConfirmTwoStep = () =>
  useChange((code: string) => codesOf(api.POST('/api/v1/two-step/confirm', { body: { code } })));

export const useRenewRecovery = () =>
  useChange((given: Both) => codesOf(api.POST('/api/v1/two-step/recovery', { body: given })));

export const useEndTwoStep = () =>
  useChange((given: Both) => api.POST('/api/v1/two-step/off', { body: given }));

/** Has the browser make a key, and keeps it. */
export const useAddKey = () =>
  useChange(async ({ title, ...given }: Both & { title: string }) => {
    const asked = api.POST('/api/v1/two-step/keys', { body: given });
    const answer = await makeKey((await body<Schemas['KeyOptionsOutput']>(asked)).options);
    return api.POST('/api/v1/two-step/keys/confirm', { body: { title, answer } });
  });

export const useRemoveKey = () =>
  useChange((given: Both & { key: string }) =>
    api.POST('/api/v1/two-step/keys/off', { body: given }),
  );

/** A code of one of one's keys: what it answers. */
export const useKeyCode = () =>
  useMutation({
    mutationFn: async () => {
      const asked = api.POST('/api/v1/two-step/keys/request');
      return askKey((await body<Schemas['KeyOptionsOutput']>(asked)).options);
    },
  });
