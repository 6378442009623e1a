import { queryOptions } from '@tanstack/react-query';
import { api, body } from './api';
import type { JsonSchema } from './schema';

export const PLAN = 'plans.compare';

export interface Citation {
  text: string;
  url: string | null;
  section: string | null;
}

export interface Formula {
  id: string;
  text: string;
  source: string;
  symbols: Record<string, string>;
}

export interface ModelHead {
  id: string;
  title: string;
  family: string;
  version: string;
  summary?: string;
  instant: boolean;
  citations: Citation[];
  checks_count: number;
}

export interface Model extends ModelHead {
  formulas: Formula[];
  limits?: string[];
  params_schema: JsonSchema;
  result_schema: JsonSchema;
}

export interface PublishedCheck {
  model: string;
  check: string;
  title: string;
  source: string;
  basis?: string;
  published: number | boolean | string;
  printed?: string | null;
  ours: number | boolean | string | null;
  tolerance: number;
  unit?: string;
  ok: boolean;
  note: string | null;
}

const MINUTES = 60_000;

export const modelQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['models', 'one', id],
    queryFn: () => body<Model>(api.GET('/api/v1/models/{id}', { params: { path: { id } } })),
    staleTime: 60 * MINUTES,
  });

/** The published checks of a model, computed by the server at this moment. */
export const checksQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['models', 'checks', id],
    queryFn: () =>
      body<PublishedCheck[]>(api.GET('/api/v1/models/{id}/checks', { params: { path: { id } } })),
    staleTime: 5 * MINUTES,
  });
