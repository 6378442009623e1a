import type { QueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import { studyKey, studyQueryOptions } from '../../../lib/studies';
import type { Design, Study } from '../../../lib/types';
import { noteStudyLeft } from '../ranges-left';

function etag(revision: number) {
  return { 'If-Match': `"${revision}"` };
}

const DESIGN_FIELDS = ['title', 'kind', 'spec', 'provenance'] as const;
const STUDY_FIELDS = [
  'title',
  'question',
  'workload',
  'workload_provenance',
  'assumptions',
  'assumptions_provenance',
  'baseline',
  'baseline_provenance',
  'ranges',
  'snapshot',
  'as_of',
] as const;

function only<T extends object>(edits: T, fields: readonly (keyof T)[]): Partial<T> {
  const sent = fields.filter((name) => edits[name] !== undefined);
  return Object.fromEntries(sent.map((name) => [name, edits[name]])) as Partial<T>;
}

export const saveDesign = (id: string) => (edits: Partial<Design>, revision: number) =>
  body<Design>(
    api.PUT('/api/v1/designs/{design_id}', {
      params: { path: { design_id: id }, header: etag(revision) },
      body: only(edits, DESIGN_FIELDS) as object,
    }),
  );

export const saveStudy = (id: string) => (edits: Partial<Study>, revision: number) =>
  body<Study>(
    api.PUT('/api/v1/studies/{study_id}', {
      params: { path: { study_id: id }, header: etag(revision) },
      body: only(edits, STUDY_FIELDS) as object,
    }),
  );

function forget(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: [...studyKey(id), 'document'] });
  void client.invalidateQueries({ queryKey: ['studies'] });
}

/** What was saved is what every other screen of the study shows from now on. */
export function keepDesign(client: QueryClient, design: Design): void {
  client.setQueryData<Study>(
    studyQueryOptions(design.study).queryKey,
    (study) =>
      study && {
        ...study,
        designs: study.designs.map((entry) => (entry.id === design.id ? design : entry)),
      },
  );
  forget(client, design.study);
}

export function keepStudy(client: QueryClient, study: Study): void {
  noteStudyLeft(client, study);
  client.setQueryData<Study>(studyQueryOptions(study.id).queryKey, study);
  forget(client, study.id);
}
