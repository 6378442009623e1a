import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { JsonObject } from '../../../lib/pointer';
import { studyKey } from '../../../lib/studies';
import type { Design } from '../../../lib/types';

interface NewDesign {
  title: string;
  spec: JsonObject;
}

/** Puts an owned cluster that was found here into the study. */
export function useAddCluster(studyId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ title, spec }: NewDesign) =>
      body<Design>(
        api.POST('/api/v1/studies/{study_id}/designs', {
          params: { path: { study_id: studyId } },
          body: { title, kind: 'owned_cluster', spec },
        }),
      ),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: studyKey(studyId) }),
        client.invalidateQueries({ queryKey: ['studies'] }),
      ]),
  });
}
