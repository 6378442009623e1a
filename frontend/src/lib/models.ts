import { queryOptions } from '@tanstack/react-query';
import type { components } from '../api-types/schema';
import { api, body, rows } from './api';
import type { JsonObject } from './pointer';
import type { JsonSchema } from './schema';

export const PLAN = 'plans.compare';

type Schemas = components['schemas'];

export type ModelHead = Schemas['ModelOutput'];
export type Formula = Schemas['Formula'];
export type Citation = Schemas['Citation'];
export type PublishedCheck = Schemas['CheckOutput'];

export type Case = Schemas['Case'];

export interface Model extends Omit<
  Schemas['ModelDetailOutput'],
  'params_schema' | 'result_schema' | 'start'
> {
  /** A whole input to begin with; null where the planner has to write one. */
  start: JsonObject | null;
  params_schema: JsonSchema;
  result_schema: JsonSchema;
}

const MINUTES = 60_000;

export const modelQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['models', 'one', id],
    queryFn: () =>
      body<Model>(api.GET('/api/v1/models/{model_id}', { params: { path: { model_id: id } } })),
    staleTime: 60 * MINUTES,
  });

/** The published checks of a model, computed by the server at this moment. */
export const checksQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['models', 'checks', id],
    queryFn: () =>
      rows<PublishedCheck>(
        api.GET('/api/v1/models/{model_id}/checks', { params: { path: { model_id: id } } }),
      ),
    staleTime: 5 * MINUTES,
  });
