import { queryOptions } from '@tanstack/react-query';
import { api, rows } from '../../../lib/api';
import type { Used } from '../../../lib/types';

export const usageQueryOptions = queryOptions({
  queryKey: ['usage'],
  queryFn: () => rows<Used>(api.GET('/api/v1/usage')),
});
