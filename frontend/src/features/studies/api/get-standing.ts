import { queryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import { PLAN } from '../../../lib/models';
import type { Page, Run, StudyCard } from '../../../lib/types';

const MOST = 200;

/** The studies that were changed last, at most 200. */
export const recentCardsQueryOptions = queryOptions({
  queryKey: ['studies', 'recent'],
  queryFn: () =>
    body<Page<StudyCard>>(api.GET('/api/v1/studies', { params: { query: { limit: MOST } } })),
});

/** The newest runs of studies, of all states or of approved ones only. */
export const planRunsQueryOptions = (approved?: true) =>
  queryOptions({
    queryKey: ['jobs', 'standing', approved ?? false],
    queryFn: () =>
      body<Page<Run>>(
        api.GET('/api/v1/runs', { params: { query: { model: PLAN, approved, limit: MOST } } }),
      ),
  });
