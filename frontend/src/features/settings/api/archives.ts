import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import { isEnded, pollInterval } from '../../../lib/job-events';
import type { Archive, Page } from '../../../lib/types';

const ARCHIVES = ['jobs', 'archive'] as const;

export const archivesQueryOptions = queryOptions({
  queryKey: ARCHIVES,
  queryFn: () => body<Page<Archive>>(api.GET('/api/v1/archives')),
  refetchInterval: (query) => {
    const open = query.state.data?.results.find((one) => !isEnded(one.state));
    return open ? pollInterval(open) : false;
  },
});

export function useExport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => body<Archive>(api.POST('/api/v1/archives/export')),
    onSettled: () => client.invalidateQueries({ queryKey: ARCHIVES }),
  });
}

export function useRemoveArchive() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (archive_id: string) =>
      api.DELETE('/api/v1/archives/{archive_id}', { params: { path: { archive_id } } }),
    onSettled: () => client.invalidateQueries({ queryKey: ARCHIVES }),
  });
}
