import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components, operations } from '../../../api-types/schema';
import { api, body, rows } from '../../../lib/api';
import type { Page, StudyCard } from '../../../lib/types';

const PAGE_SIZE = 24;

type Query = NonNullable<operations['studies_list']['parameters']['query']>;

export type StudyOrder = NonNullable<Query['sort']>;

/** Which studies are listed, and in which order. */
export interface StudyFilter {
  text?: string;
  tag?: string;
  examples?: boolean;
  sort?: StudyOrder;
}

export const studiesQueryOptions = ({ text, tag, examples, sort }: StudyFilter = {}) =>
  infiniteQueryOptions({
    queryKey: ['studies', text ?? '', tag ?? '', examples ?? null, sort ?? ''],
    queryFn: ({ pageParam }) =>
      body<Page<StudyCard>>(
        api.GET('/api/v1/studies', {
          params: {
            query: {
              q: text || undefined,
              tag: tag || undefined,
              examples,
              sort,
              cursor: pageParam,
              limit: PAGE_SIZE,
            },
          },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });

export const tagsQueryOptions = queryOptions({
  queryKey: ['studies', 'tags'],
  queryFn: () => rows<components['schemas']['StudyTag']>(api.GET('/api/v1/studies/tags')),
});
