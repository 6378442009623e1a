import { queryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import { isStatus } from '../../../lib/problem';
import type { CatalogueEntry } from '../../../lib/types';

async function entryOrNone(slug: string): Promise<CatalogueEntry | null> {
  try {
    return await body<CatalogueEntry>(
      api.GET('/api/v1/catalogue/entries/{slug}', { params: { path: { slug } } }),
    );
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}

/** Entries as the catalogue has them now, by slug; those that are gone are left out. */
export const presentEntriesQueryOptions = (slugs: readonly string[]) =>
  queryOptions({
    queryKey: ['catalogue', 'present', ...slugs],
    queryFn: async () => {
      const found = await Promise.all(slugs.map(entryOrNone));
      return new Map(found.flatMap((entry) => (entry ? [[entry.slug, entry] as const] : [])));
    },
    staleTime: 0,
  });
