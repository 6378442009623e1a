import { queryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { CatalogueKind } from '../../../lib/types';

export const kindsQueryOptions = queryOptions({
  queryKey: ['catalogue', 'kinds'],
  queryFn: () => body<CatalogueKind[]>(api.GET('/api/v1/catalogue/kinds')),
  staleTime: 5 * 60_000,
});
