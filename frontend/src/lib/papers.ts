import { queryOptions } from '@tanstack/react-query';
import type { components } from '../api-types/schema';
import { api, body, rows } from './api';

export type PaperHead = components['schemas']['PaperOutput'];
export type PaperRun = components['schemas']['PaperDetailOutput'];

const MINUTES = 60_000;

export const papersQueryOptions = queryOptions({
  queryKey: ['papers', 'all'],
  queryFn: () => rows<PaperHead>(api.GET('/api/v1/papers')),
  staleTime: 60 * MINUTES,
});

/** A paper, its experiment run by the server at this moment. */
export const paperQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['papers', 'one', id],
    queryFn: () =>
      body<PaperRun>(api.GET('/api/v1/papers/{paper_id}', { params: { path: { paper_id: id } } })),
    staleTime: 5 * MINUTES,
  });
