import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, body } from './api';
import { wholeOf } from './comparison';
import { mayPass } from './query-client';

export interface Answer<R> {
  model: string;
  version: string;
  inputs_hash: string;
  result: R;
}

/** A model's answer at once. */
export const evaluate = <R>(model: string, params: object, signal?: AbortSignal) =>
  body<Answer<R>>(
    api.POST('/api/v1/evaluate', {
      params: { query: wholeOf() },
      body: { model, params: params as Record<string, unknown> },
      signal,
    }),
  );

/**
 * A model's answer, asked again as one types; while new inputs are asked about, the answer before stays.
 * `select` takes what is wanted of it.
 */
export const answerQueryOptions = <R, S = Answer<R>>(
  model: string,
  params: object | null,
  select?: (answer: Answer<R>) => S,
) =>
  queryOptions({
    queryKey: ['evaluate', model, params],
    queryFn: ({ signal }) => evaluate<R>(model, params ?? {}, signal),
    select,
    enabled: params !== null,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: mayPass,
  });
