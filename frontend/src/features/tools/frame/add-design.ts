import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import { createDesign } from '../../../lib/create-design';
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
    api.PUT('/api/v1/studies/{study_id}', {
      params: { path: { study_id: study.id }, header: { 'If-Match': `"${study.revision}"` } },
      body: { workload },
    }),
  );
}

const saveCluster = (studyId: string, title: string, spec: JsonObject) =>
  createDesign(studyId, { title, kind: 'owned_cluster', spec });

function useAfterwards(studyId: string) {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: studyKey(studyId) }),
      client.invalidateQueries({ queryKey: ['studies'] }),
    ]);
}

/** Puts an owned cluster that was found here into the study, and the work that it is for. */
export function useAddCluster(studyId: string) {
  const onSettled = useAfterwards(studyId);
  return useMutation({
    mutationFn: async ({ title, spec, work }: NewDesign) => {
      if (work) await saveWork(work);
      return saveCluster(studyId, title, spec);
    },
    onSettled,
  });
}

/** Puts several into the study, one after the other, as their letters follow. */
export function useAddClusters(studyId: string) {
  const onSettled = useAfterwards(studyId);
  return useMutation({
    mutationFn: async (found: readonly Pick<NewDesign, 'title' | 'spec'>[]) => {
      const made: Design[] = [];
      for (const { title, spec } of found) made.push(await saveCluster(studyId, title, spec));
      return made;
    },
    onSettled,
  });
}
