import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, body } from './api';

interface Answer<R> {
  model: string;
  version: string;
  inputs_hash: string;
  result: R;
}

/** A model's answer at once; while new inputs are asked about, the answer before stays. */
export const answerQueryOptions = <R>(model: string, params: object | null) =>
  queryOptions({
    queryKey: ['evaluate', model, params],
    queryFn: () =>
      body<Answer<R>>(
        api.POST('/api/v1/evaluate', {
          body: { model, params: params as Record<string, unknown> },
        }),
      ),
    enabled: params !== null,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
