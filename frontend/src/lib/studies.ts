import { queryOptions } from '@tanstack/react-query';
import { api, body } from './api';
import type { Study, StudyDocument } from './types';

/** Keys of one study; all of them start with `['study', id]`. */
export const studyKey = (id: string) => ['study', id] as const;

export const studyQueryOptions = (id: string) =>
  queryOptions({
    queryKey: [...studyKey(id), 'whole'],
    queryFn: () =>
      body<Study>(api.GET('/api/v1/studies/{study_id}', { params: { path: { study_id: id } } })),
  });

/** The study as the plan takes it. */
export const documentQueryOptions = (id: string) =>
  queryOptions({
    queryKey: [...studyKey(id), 'document'],
    queryFn: () =>
      body<StudyDocument>(
        api.GET('/api/v1/studies/{study_id}/document', { params: { path: { study_id: id } } }),
      ),
  });
