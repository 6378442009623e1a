import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body, rows } from './api';
import { isEnded, jobKey, pollInterval } from './job-events';
import type { Outlook, OutlookDetail, Study, StudyOutlook } from './types';

const LIST_KEY = ['jobs', 'outlook'] as const;

/** The latest looks at which studies would move, newest first. */
export const outlooksQueryOptions = queryOptions({
  queryKey: LIST_KEY,
  queryFn: () => rows<Outlook>(api.GET('/api/v1/outlooks')),
  refetchInterval: (query) => {
    const open = query.state.data?.find((one) => !isEnded(one.state));
    return open ? pollInterval(open) : false;
  },
});

export const outlookQueryOptions = (id: string) =>
  queryOptions({
    queryKey: jobKey('outlook', id),
    queryFn: () =>
      body<OutlookDetail>(
        api.GET('/api/v1/outlooks/{outlook_id}', { params: { path: { outlook_id: id } } }),
      ),
  });

/** What would move one study, as it is saved now: the newest prices, or a day's, or a pack. */
export const studyOutlookQueryOptions = (
  study_id: string,
  query: { as_of?: string; pack?: string } = {},
) =>
  queryOptions({
    queryKey: ['study', study_id, 'outlook', query],
    queryFn: () =>
      body<StudyOutlook>(
        api.GET('/api/v1/studies/{study_id}/outlook', { params: { path: { study_id }, query } }),
      ),
    staleTime: 0,
    retry: false,
  });

export function useStartOutlook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => body<Outlook>(api.POST('/api/v1/outlooks')),
    onSettled: () => client.invalidateQueries({ queryKey: LIST_KEY }),
  });
}

export function useCancelOutlook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (outlook_id: string) =>
      body<Outlook>(
        api.POST('/api/v1/outlooks/{outlook_id}/cancel', { params: { path: { outlook_id } } }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: LIST_KEY }),
  });
}

/** Takes the catalogue's present values in a study; Undo brings the older ones back. */
export function useTakePrices() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (study_id: string) =>
      body<Study>(
        api.POST('/api/v1/studies/{study_id}/prices', { params: { path: { study_id } } }),
      ),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['study'] }),
        client.invalidateQueries({ queryKey: ['studies'] }),
      ]),
  });
}
