import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { components, operations } from '../api-types/schema';
import { api, body, rows } from './api';
import { mayPass } from './query-client';
import type { CatalogueEntry, CatalogueSnapshot, Page, RegionPrices } from './types';

type Query = NonNullable<operations['catalogue_entries_list']['parameters']['query']>;

export type CatalogueFilter = Omit<Query, 'cursor' | 'limit'>;

export const entriesQueryOptions = (filter: CatalogueFilter) =>
  infiniteQueryOptions({
    queryKey: ['catalogue', 'entries', filter],
    queryFn: ({ pageParam }) =>
      body<Page<CatalogueEntry>>(
        api.GET('/api/v1/catalogue/entries', {
          params: {
            query: {
              ...filter,
              kind: filter.kind || undefined,
              q: filter.q || undefined,
              cursor: pageParam,
            },
          },
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

/** A change that removes all values, to put those beside it that stay. */
export const cleared = (values: object) =>
  Object.fromEntries(Object.keys(values).map((name) => [name, null]));

/** What entries cost in a region, which a code or a city names. */
export const regionPricesQueryOptions = (wanted: {
  provider: string;
  region: string;
  entries: readonly string[];
}) =>
  queryOptions({
    queryKey: ['catalogue', 'prices', wanted],
    queryFn: () => {
      const query = { ...wanted, entries: wanted.entries.join(',') };
      return body<RegionPrices>(api.GET('/api/v1/catalogue/prices', { params: { query } }));
    },
    staleTime: 5 * 60_000,
  });

export type HeldPlace = components['schemas']['Place'];

/** The place that a text names, as a proposal reads it; null of no text. */
export const placeQueryOptions = (named: string) =>
  queryOptions({
    queryKey: ['catalogue', 'place', named],
    queryFn: async () => {
      const query = { named };
      const found = await rows<HeldPlace>(
        api.GET('/api/v1/catalogue/places', { params: { query } }),
      );
      return found[0] ?? null;
    },
    enabled: named !== '',
    placeholderData: (before) => (named === '' ? null : before),
    staleTime: Number.POSITIVE_INFINITY,
    retry: mayPass,
  });

/** Cities that regions are held of. */
export const placesQueryOptions = queryOptions({
  queryKey: ['catalogue', 'places'],
  queryFn: () => rows<HeldPlace>(api.GET('/api/v1/catalogue/places')),
  staleTime: Number.POSITIVE_INFINITY,
});
