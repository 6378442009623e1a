import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { components, operations } from '../../../api-types/schema';
import { api, body, rows } from '../../../lib/api';
import { isEnded, jobKey, pollInterval } from '../../../lib/job-events';
import type { Page } from '../../../lib/types';

type Schemas = components['schemas'];
export type Import = Schemas['ImportOutput'];
export type ImportDetail = Schemas['ImportDetail'];
export type PreviewTable = Schemas['ImportTable'];
export type Draft = Schemas['ImportDraft'];
export type ImportFormats = Schemas['ImportFormats'];
export type Way = ImportFormats['formats'][number]['way'];
export type PriceListId = ImportFormats['price_lists'][number]['provider'];
export type Options = Schemas['ImportOptionsInputRequest'];

export const importQueryOptions = (id: string) =>
  queryOptions({
    queryKey: jobKey('import', id),
    queryFn: () =>
      body<ImportDetail>(
        api.GET('/api/v1/imports/{import_id}', { params: { path: { import_id: id } } }),
      ),
    refetchInterval: (query) => pollInterval(query.state.data),
  });

/** A small file of a format, as the server makes it. */
export async function sampleFile(formatId: string): Promise<File> {
  const { data, response } = await api.GET('/api/v1/imports/formats/{format_id}/sample', {
    params: { path: { format_id: formatId } },
    parseAs: 'blob',
  });
  const named = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '');
  return new File([data as Blob], named?.[1] ?? formatId);
}

/** Every kind of file that is taken. */
export const formatsQueryOptions = queryOptions({
  queryKey: ['imports', 'formats'],
  queryFn: () => body<ImportFormats>(api.GET('/api/v1/imports/formats')),
  staleTime: Infinity,
});

export const importsQueryOptions = () =>
  queryOptions({
    queryKey: ['jobs', 'import'],
    queryFn: () =>
      body<Page<Import>>(api.GET('/api/v1/imports', { params: { query: { limit: 100 } } })),
    refetchInterval: (query) => {
      const open = query.state.data?.results.find((one) => !isEnded(one.state));
      return open ? pollInterval(open) : 30_000;
    },
  });

export const draftQueryOptions = (id: string, options: Options) =>
  queryOptions({
    queryKey: ['import-draft', id, options],
    queryFn: () =>
      body<Draft>(
        api.POST('/api/v1/imports/{import_id}/draft', {
          params: { path: { import_id: id } },
          body: options,
        }),
      ),
    retry: false,
  });

/** What a bill cost month by month. */
export const monthsQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['import-months', id],
    queryFn: () =>
      body<Schemas['ImportMonths']>(
        api.GET('/api/v1/imports/{import_id}/months', { params: { path: { import_id: id } } }),
      ),
    retry: false,
    staleTime: Infinity,
  });

/** A bill beside a design of its study. */
export const differencesQueryOptions = (id: string, letter: string) =>
  queryOptions({
    queryKey: ['import-differences', id, letter],
    queryFn: () =>
      body<PreviewTable>(
        api.GET('/api/v1/imports/{import_id}/differences', {
          params: { path: { import_id: id }, query: { letter } },
        }),
      ),
    retry: false,
  });

export type PriceList = Schemas['KeptPriceList'];
export type PriceChanges = Schemas['PriceChanges'];

type PriceQuery = NonNullable<operations['imports_prices']['parameters']['query']>;

/** Price lists of a provider that are kept, newest first. */
export const priceListsQueryOptions = (provider: string) =>
  queryOptions({
    queryKey: ['jobs', 'import', 'prices', provider],
    queryFn: () => {
      const query = { provider: provider as PriceQuery['provider'] };
      return rows<PriceList>(api.GET('/api/v1/imports/prices', { params: { query } }));
    },
  });

/** A price list beside one before it. */
export const priceChangesQueryOptions = (id: string, before: string) =>
  queryOptions({
    queryKey: ['import-price-changes', id, before],
    queryFn: () =>
      body<PriceChanges>(
        api.GET('/api/v1/imports/{import_id}/price-changes', {
          params: { path: { import_id: id }, query: { before } },
        }),
      ),
    retry: false,
    staleTime: Infinity,
  });

/** Servers of the own catalogue, as quotes become them. */
export const serversQueryOptions = queryOptions({
  queryKey: ['imports', 'servers'],
  queryFn: () =>
    body<Page<{ slug: string; title: string }>>(
      api.GET('/api/v1/catalogue/entries', {
        params: { query: { kind: 'server', own: true, limit: 100 } },
      }),
    ),
});

/** Studies that a file can go into. */
export const targetsQueryOptions = queryOptions({
  queryKey: ['imports', 'targets'],
  queryFn: () =>
    body<Page<{ id: string; title: string }>>(
      api.GET('/api/v1/studies', { params: { query: { limit: 100 } } }),
    ),
});

export const lettersQueryOptions = (studyId: string) =>
  queryOptions({
    queryKey: ['imports', 'letters', studyId],
    queryFn: () =>
      rows<{ letter: string; title: string }>(
        api.GET('/api/v1/studies/{study_id}/designs', { params: { path: { study_id: studyId } } }),
      ),
  });

function useSettled(id: string) {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: ['jobs'] });
    void client.invalidateQueries({ queryKey: ['job', id] });
    void client.invalidateQueries({ queryKey: ['studies'] });
    void client.invalidateQueries({ queryKey: ['study'] });
    // Studies and servers that the next file may go into, or be of.
    void client.invalidateQueries({ queryKey: ['imports'] });
  };
}

export function useAccept(id: string) {
  const settled = useSettled(id);
  return useMutation({
    mutationFn: (options: Schemas['ImportAcceptInputRequest']) =>
      body<Schemas['ImportAccepted']>(
        api.POST('/api/v1/imports/{import_id}/accept', {
          params: { path: { import_id: id } },
          body: options,
        }),
      ),
    onSettled: settled,
  });
}

/** Has a provider's price list fetched and read. */
export function useFetchPrices() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (asked: Schemas['PriceListInputRequest']) =>
      body<ImportDetail>(api.POST('/api/v1/imports/prices', { body: asked })),
    onSettled: () => client.invalidateQueries({ queryKey: ['jobs'] }),
  });
}

export function useUndo(id: string) {
  const settled = useSettled(id);
  return useMutation({
    mutationFn: () =>
      body<ImportDetail>(
        api.POST('/api/v1/imports/{import_id}/undo', { params: { path: { import_id: id } } }),
      ),
    onSettled: settled,
  });
}

export function useCancelImport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      api.POST('/api/v1/imports/{import_id}/cancel', { params: { path: { import_id: id } } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['jobs'] }),
  });
}

export function useDeleteImport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      api.DELETE('/api/v1/imports/{import_id}', { params: { path: { import_id: id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['jobs', 'import'] }),
  });
}
