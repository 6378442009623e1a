import { queryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { Used } from '../../../lib/types';

export const usageQueryOptions = queryOptions({
  queryKey: ['usage'],
  queryFn: () => body<Used[]>(api.GET('/api/v1/usage')),
});
