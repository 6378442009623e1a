import { queryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import { PLAN } from '../../../lib/models';
import type { Page, Run, StudiesStanding, StudyCard } from '../../../lib/types';

const MOST = 200;

/** The studies that were changed last, at most 200. */
export const recentCardsQueryOptions = queryOptions({
  queryKey: ['studies', 'recent'],
  queryFn: () =>
    body<Page<StudyCard>>(api.GET('/api/v1/studies', { params: { query: { limit: MOST } } })),
});

/** Studies that newer values of the catalogue would change, and those that wait for approval. */
export const standingQueryOptions = queryOptions({
  queryKey: ['studies', 'standing'],
  queryFn: () => body<StudiesStanding>(api.GET('/api/v1/studies/standing')),
});

/** The newest runs of studies, of all states. */
export const planRunsQueryOptions = queryOptions({
  queryKey: ['jobs', 'standing'],
  queryFn: () =>
    body<Page<Run>>(api.GET('/api/v1/runs', { params: { query: { model: PLAN, limit: MOST } } })),
});
