import { queryOptions } from '@tanstack/react-query';
import { api, rows } from '../../../lib/api';
import type { ModelHead } from '../../../lib/models';

export const modelsQueryOptions = queryOptions({
  queryKey: ['models', 'all'],
  queryFn: () => rows<ModelHead>(api.GET('/api/v1/models')),
  staleTime: 60 * 60_000,
});
