import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { components } from '../../../api-types/schema';
import { api, body } from '../../../lib/api';
import { cleared } from '../../../lib/catalogue';
import type { NumberFormat } from '../../../lib/typed-number';
import type { CatalogueEntry } from '../../../lib/types';

export type Facets = components['schemas']['CatalogueFacets'];

export const facetsQueryOptions = (kind: string) =>
  queryOptions({
    queryKey: ['catalogue', 'facets', kind],
    queryFn: () =>
      body<Facets>(api.GET('/api/v1/catalogue/facets', { params: { query: { kind } } })),
    enabled: kind !== '',
  });

/** A field as somebody enters it. */
export interface EnteredValue {
  value: number | string;
  source?: string;
  as_of?: string;
}

function useCatalogueMutation<Input, Output>(run: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: () => client.invalidateQueries({ queryKey: ['catalogue'] }),
  });
}

interface Entered {
  kind: string;
  title: string;
  values: Record<string, EnteredValue>;
  /** The entry that is changed; a new one without. */
  entry?: CatalogueEntry;
}

export const useSaveEntry = () =>
  useCatalogueMutation(({ kind, title, values, entry }: Entered) =>
    entry
      ? body<CatalogueEntry>(
          api.PATCH('/api/v1/catalogue/entries/{slug}', {
            params: {
              path: { slug: entry.slug },
              header: { 'If-Match': `"${entry.revision}"` },
            } as never,
            body: { title, values: { ...cleared(entry.values), ...values } } as never,
          }),
        )
      : body<CatalogueEntry>(
          api.POST('/api/v1/catalogue/entries', { body: { kind, title, values } as never }),
        ),
  );

export const useDeleteEntry = () =>
  useCatalogueMutation((slug: string) =>
    api.DELETE('/api/v1/catalogue/entries/{slug}', { params: { path: { slug } } }),
  );

export const useImportTable = () =>
  useCatalogueMutation((given: { kind: string; csv: string; numbers: NumberFormat }) =>
    body<{ added: number; changed: number; numbers_read: string[]; fields_new: string[] }>(
      api.POST('/api/v1/catalogue/csv', { body: given }),
    ),
  );
