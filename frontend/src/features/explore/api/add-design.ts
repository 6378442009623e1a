import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { JsonObject } from '../../../lib/pointer';
import { studyKey } from '../../../lib/studies';
import type { Design, Study } from '../../../lib/types';

interface NewDesign {
  title: string;
  spec: JsonObject;
  /** What the study is to carry from now on, with the study as it was read. */
  work?: { study: Study; workload: JsonObject };
}

async function saveWork({ study, workload }: NonNullable<NewDesign['work']>): Promise<void> {
  await body<Study>(
    api.PATCH('/api/v1/studies/{study_id}', {
      params: { path: { study_id: study.id }, header: { 'If-Match': `"${study.revision}"` } },
      body: { workload },
    }),
  );
}

/** Puts an owned cluster that was found here into the study, and the work that it is for. */
export function useAddCluster(studyId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ title, spec, work }: NewDesign) => {
      if (work) await saveWork(work);
      return body<Design>(
        api.POST('/api/v1/studies/{study_id}/designs', {
          params: { path: { study_id: studyId } },
          body: { title, kind: 'owned_cluster', spec },
        }),
      );
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: studyKey(studyId) }),
        client.invalidateQueries({ queryKey: ['studies'] }),
      ]),
  });
}
