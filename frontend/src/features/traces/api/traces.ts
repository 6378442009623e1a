import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { components } from '../../../api-types/schema';
import type { TraceDetail } from '../../../lib/traces';
import type { Told } from '../../../components/told/told';
import type { Calibration } from '../calibration';

/** What a trace tells. */
export const toldQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['trace-told', id],
    queryFn: () =>
      body<Required<Told>>(
        api.GET('/api/v1/traces/{trace_id}/told', { params: { path: { trace_id: id } } }),
      ),
    staleTime: Infinity,
  });

/** Its series as they were kept; of fio what a drive is calibrated by. */
export const chartsQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['trace-charts', id],
    queryFn: () =>
      body<{ calibrations?: Calibration[] }>(
        api.GET('/api/v1/traces/{trace_id}/charts', { params: { path: { trace_id: id } } }),
      ),
    staleTime: Infinity,
  });

function useSettled() {
  const client = useQueryClient();
  return (id: string) => {
    void client.invalidateQueries({ queryKey: ['jobs'] });
    void client.invalidateQueries({ queryKey: ['job', id] });
  };
}

export function useCancelTrace() {
  const settled = useSettled();
  return useMutation({
    mutationFn: (id: string) =>
      api.POST('/api/v1/traces/{trace_id}/cancel', { params: { path: { trace_id: id } } }),
    onSettled: (_answer, _error, id) => settled(id),
  });
}

export function useDeleteTrace() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      api.DELETE('/api/v1/traces/{trace_id}', { params: { path: { trace_id: id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['jobs', 'trace'] }),
  });
}

export function useRenameTrace() {
  const settled = useSettled();
  return useMutation({
    mutationFn: ({ id, title }: { id: string; title: string }) =>
      api.PATCH('/api/v1/traces/{trace_id}', {
        params: { path: { trace_id: id } },
        body: { title },
      }),
    onSettled: (_answer, _error, { id }) => settled(id),
  });
}

type Schemas = components['schemas'];

/** What is read by API, and from where. */
export type Measured =
  | { origin: 'prometheus'; body: Schemas['PrometheusInputRequest'] }
  | { origin: 'cloudwatch'; body: Schemas['CloudWatchInputRequest'] };

/** Has the server read measurements; answers with the trace that they become. */
export function useMeasure() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (asked: Measured) =>
      body<TraceDetail>(
        asked.origin === 'prometheus'
          ? api.POST('/api/v1/traces/prometheus', { body: asked.body })
          : api.POST('/api/v1/traces/cloudwatch', { body: asked.body }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: ['jobs', 'trace'] }),
  });
}
