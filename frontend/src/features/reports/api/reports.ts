import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import { isEnded, jobKey, pollInterval } from '../../../lib/job-events';
import type { Page, Report } from '../../../lib/types';

export type Format = Report['format'];
export type Paper = Report['paper'];

export const reportQueryOptions = (id: string) =>
  queryOptions({
    queryKey: jobKey('report', id),
    queryFn: () =>
      body<Report>(api.GET('/api/v1/reports/{report_id}', { params: { path: { report_id: id } } })),
    refetchInterval: (query) => pollInterval(query.state.data),
    staleTime: 0,
  });

export const reportsQueryOptions = (study: string) =>
  queryOptions({
    queryKey: ['jobs', 'report', study],
    queryFn: () => body<Page<Report>>(api.GET('/api/v1/reports', { params: { query: { study } } })),
    refetchInterval: (query) => {
      const open = query.state.data?.results.find((report) => !isEnded(report.state));
      return open ? pollInterval(open) : false;
    },
  });

export function useCreateReport(study: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (asked: { format: Format; paper: Paper; appendix: boolean }) =>
      body<Report>(api.POST('/api/v1/reports', { body: { study, ...asked } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['jobs', 'report', study] }),
  });
}

/** The report goes with its file, for good. */
export function useRemoveReport(study: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (report_id: string) =>
      body(api.DELETE('/api/v1/reports/{report_id}', { params: { path: { report_id } } })),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['jobs', 'report', study] }),
        client.invalidateQueries({ queryKey: ['usage'] }),
      ]),
  });
}

export function fileAddress(id: string): string {
  return `/api/v1/reports/${id}/file`;
}
