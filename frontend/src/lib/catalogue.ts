import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, body } from './api';
import type { CatalogueEntry, CatalogueSnapshot, Page } from './types';

export interface CatalogueFilter {
  kind?: string;
  q?: string;
}

export const entriesQueryOptions = ({ kind, q }: CatalogueFilter) =>
  infiniteQueryOptions({
    queryKey: ['catalogue', 'entries', kind ?? '', q ?? ''],
    queryFn: ({ pageParam }) =>
      body<Page<CatalogueEntry>>(
        api.GET('/api/v1/catalogue/entries', {
          params: { query: { kind: kind || undefined, q: q || undefined, cursor: pageParam } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    staleTime: 5 * 60_000,
  });

export const entryQueryOptions = (slug: string) =>
  queryOptions({
    queryKey: ['catalogue', 'entry', slug],
    queryFn: () =>
      body<CatalogueEntry>(
        api.GET('/api/v1/catalogue/entries/{slug}', { params: { path: { slug } } }),
      ),
    staleTime: 5 * 60_000,
  });

/** The catalogue's snapshots, the one that is loaded now first. */
export const snapshotsQueryOptions = queryOptions({
  queryKey: ['catalogue', 'snapshots'],
  queryFn: () => body<Page<CatalogueSnapshot>>(api.GET('/api/v1/catalogue/snapshots')),
  staleTime: 5 * 60_000,
});
