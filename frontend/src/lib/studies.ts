import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, body } from './api';
import { statedCurrency, type Currency } from './format';
import type { Page, Study, StudyCard, StudyDocument } from './types';

/** Keys of one study; all of them start with `['study', id]`. */
export const studyKey = (id: string) => ['study', id] as const;

export const studyQueryOptions = (id: string) =>
  queryOptions({
    queryKey: [...studyKey(id), 'whole'],
    queryFn: () =>
      body<Study>(api.GET('/api/v1/studies/{study_id}', { params: { path: { study_id: id } } })),
  });

/** Studies to choose one of, newest first. */
export const studyChoicesQueryOptions = queryOptions({
  queryKey: ['studies', 'choices'],
  queryFn: () =>
    body<Page<StudyCard>>(api.GET('/api/v1/studies', { params: { query: { limit: 50 } } })),
});

/** The currency that a study is told in; US dollars until the study is here. */
export function useCurrency(studyId: string): Currency {
  const stated = useQuery(studyQueryOptions(studyId)).data?.assumptions.currency;
  return useMemo(() => statedCurrency(stated), [stated]);
}

/** The study as the plan takes it. */
export const documentQueryOptions = (id: string) =>
  queryOptions({
    queryKey: [...studyKey(id), 'document'],
    queryFn: () =>
      body<StudyDocument>(
        api.GET('/api/v1/studies/{study_id}/document', { params: { path: { study_id: id } } }),
      ),
  });
