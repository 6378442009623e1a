import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body, rows } from '../../../lib/api';
import type { DesignDiff, DesignVersion } from '../../../lib/types';

export const versionsQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['design', id, 'versions'],
    queryFn: () =>
      rows<DesignVersion>(
        api.GET('/api/v1/designs/{design_id}/versions', { params: { path: { design_id: id } } }),
      ),
  });

export const diffQueryOptions = (id: string, against: string) =>
  queryOptions({
    queryKey: ['design', id, 'diff', against],
    queryFn: () =>
      body<DesignDiff>(
        api.GET('/api/v1/designs/{design_id}/diff', {
          params: { path: { design_id: id }, query: { against } },
        }),
      ),
    staleTime: 0,
    gcTime: 0,
  });

export function useSaveVersion(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      body<DesignVersion>(
        api.POST('/api/v1/designs/{design_id}/versions', {
          params: { path: { design_id: id } },
          body: { name },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['design', id, 'versions'] }),
  });
}
