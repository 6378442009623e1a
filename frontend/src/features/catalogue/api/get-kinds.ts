import { queryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { CatalogueKind, CatalogueSnapshot, Page } from '../../../lib/types';

export const kindsQueryOptions = queryOptions({
  queryKey: ['catalogue', 'kinds'],
  queryFn: () => body<CatalogueKind[]>(api.GET('/api/v1/catalogue/kinds')),
  staleTime: 5 * 60_000,
});

export const snapshotsQueryOptions = queryOptions({
  queryKey: ['catalogue', 'snapshots'],
  queryFn: () => body<Page<CatalogueSnapshot>>(api.GET('/api/v1/catalogue/snapshots')),
  staleTime: 5 * 60_000,
});
