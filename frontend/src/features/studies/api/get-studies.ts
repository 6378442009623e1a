import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { Page, StudyCard } from '../../../lib/types';

const PAGE_SIZE = 24;

export const studiesQueryOptions = (text: string) =>
  infiniteQueryOptions({
    queryKey: ['studies', text],
    queryFn: ({ pageParam }) =>
      body<Page<StudyCard>>(
        api.GET('/api/v1/studies', {
          params: { query: { q: text || undefined, cursor: pageParam, limit: PAGE_SIZE } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
