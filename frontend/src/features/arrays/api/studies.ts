import { queryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { JsonObject } from '../../../lib/pointer';
import type { Design, Page, StudyCard } from '../../../lib/types';

/** The studies that an array can be added to, newest first. */
export const cardsQueryOptions = queryOptions({
  queryKey: ['studies', 'for arrays'],
  queryFn: () =>
    body<Page<StudyCard>>(api.GET('/api/v1/studies', { params: { query: { limit: 50 } } })),
});

interface NewDesign {
  title: string;
  kind: string;
  spec: JsonObject;
}

export const addDesign = (study: string, design: NewDesign) =>
  body<Design>(
    api.POST('/api/v1/studies/{study_id}/designs', {
      params: { path: { study_id: study } },
      body: design,
    }),
  );
