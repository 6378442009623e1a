import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { Actuals, ActualsInput } from '../../../lib/types';

export const actualsQueryOptions = (study_id: string) =>
  queryOptions({
    queryKey: ['actuals', study_id],
    queryFn: () =>
      body<Actuals>(
        api.GET('/api/v1/studies/{study_id}/actuals', { params: { path: { study_id } } }),
      ),
    // The approved run may not have its result yet.
    refetchInterval: ({ state: { data } }) =>
      data && data.approved !== null && data.comparison === null ? 3000 : false,
  });

export function usePutActuals(study_id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (given: ActualsInput) =>
      body<Actuals>(
        api.PUT('/api/v1/studies/{study_id}/actuals', {
          params: { path: { study_id } },
          body: given,
        }),
      ),
    onSuccess: (found) => client.setQueryData(actualsQueryOptions(study_id).queryKey, found),
  });
}

/** The range that a cause's difference offers goes into the study. */
export function useTakeRange(study_id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (cause: string) =>
      body<Actuals>(
        api.POST('/api/v1/studies/{study_id}/actuals/range', {
          params: { path: { study_id } },
          body: { cause },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['study', study_id] }),
  });
}
