import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { components } from '../../../api-types/schema';
import { api, body, rows } from '../../../lib/api';
import type { JsonObject } from '../../../lib/pointer';
import type { Provenance, Study } from '../../../lib/types';
import { mayPass } from '../../../lib/query-client';
import { search } from '../../../lib/searched';
import { studyKey } from '../../../lib/studies';

type Schemas = components['schemas'];

export type Proposal = Schemas['StudyProposeOutput'];
export type Template = Schemas['StudyTemplate'];

export interface Asked {
  workload: JsonObject;
  workload_provenance: Provenance;
  assumptions: JsonObject;
  baseline?: JsonObject;
  options: { option: string; term_months?: number; region?: string }[];
  currency?: string;
}

export const templatesQueryOptions = queryOptions({
  queryKey: ['studies', 'templates'],
  queryFn: () => rows<Template>(api.GET('/api/v1/studies/templates')),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Designs for some work; while it changes, those before stay. */
export const proposalQueryOptions = (asked: Asked | null) =>
  queryOptions({
    queryKey: ['propose', asked],
    queryFn: ({ signal }) =>
      body<Proposal>(api.POST('/api/v1/studies/propose', { body: asked as never, signal })),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: mayPass,
  });

/** Stores a proposal as a study. */
export function useKeepProposal() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ title, proposal }: { title: string; proposal: Proposal }) => {
      const { notes: _notes, place: _place, document: _document, ...documents } = proposal;
      return body<Study>(api.POST('/api/v1/studies', { body: { title, ...documents } as never }));
    },
    onSuccess: ({ id }) => {
      // Beside the verdict, which waits for nothing of it.
      void client.prefetchQuery({
        queryKey: [...studyKey(id), 'search'],
        queryFn: () => search(client, id, ['cost_usd']),
      });
      return client.invalidateQueries({ queryKey: ['studies'] });
    },
  });
}
