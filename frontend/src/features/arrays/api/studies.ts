import { queryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { Page, StudyCard } from '../../../lib/types';

/** The studies that an array can be added to, newest first. */
export const cardsQueryOptions = queryOptions({
  queryKey: ['studies', 'for arrays'],
  queryFn: () =>
    body<Page<StudyCard>>(api.GET('/api/v1/studies', { params: { query: { limit: 50 } } })),
});
