import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, rows } from '../../../lib/api';
import type { CatalogueKind } from '../../../lib/types';

/** The kinds of entries, with how many there are of each: all, or those that some words find. */
export const kindsQueryOptions = (q = '') =>
  queryOptions({
    queryKey: ['catalogue', 'kinds', q],
    queryFn: ({ signal }) =>
      rows<CatalogueKind>(
        api.GET('/api/v1/catalogue/kinds', { params: { query: { q: q || undefined } }, signal }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
  });
