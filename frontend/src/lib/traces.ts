import { queryOptions } from '@tanstack/react-query';
import type { components } from '../api-types/schema';
import { api, body } from './api';
import { isEnded, jobKey, pollInterval } from './job-events';
import type { Science } from './science';
import type { Page } from './types';

type Schemas = components['schemas'];
export type Trace = Schemas['TraceOutput'];
export type TraceDetail = Schemas['TraceDetail'];
export type TraceKind = 'block' | 'utilization' | 'latency' | 'fleet' | 'inference';

/** How a document names a trace; the hash lets a run's inputs see the content. */
export type TraceRef = Science['storage.array.TraceRef'];

export const traceRef = (trace: Trace): TraceRef => ({
  kind: 'uploaded',
  trace_id: trace.id,
  sha256: trace.sha256,
});

export const traceQueryOptions = (id: string) =>
  queryOptions({
    queryKey: jobKey('trace', id),
    queryFn: () =>
      body<TraceDetail>(
        api.GET('/api/v1/traces/{trace_id}', { params: { path: { trace_id: id } } }),
      ),
    refetchInterval: (query) => pollInterval(query.state.data),
  });

export const tracesQueryOptions = (filter: { kind?: TraceKind; state?: 'succeeded' } = {}) =>
  queryOptions({
    queryKey: ['jobs', 'trace', filter],
    queryFn: () =>
      body<Page<Trace>>(
        api.GET('/api/v1/traces', { params: { query: { ...filter, limit: 100 } } }),
      ),
    refetchInterval: (query) => {
      const open = query.state.data?.results.find((trace) => !isEnded(trace.state));
      return open ? pollInterval(open) : 30_000;
    },
  });

/** Every kind of file that is taken, as a sentence. */
export const formatsQueryOptions = queryOptions({
  queryKey: ['traces', 'formats'],
  queryFn: () => body<Schemas['TraceFormats']>(api.GET('/api/v1/traces/formats')),
  staleTime: Infinity,
});

/** The summary's figure of a name; null where the trace has none. */
export function figureOf(trace: Trace, name: string): number | null {
  const value: unknown = (trace.summary as Record<string, unknown> | null)?.[name];
  return typeof value === 'number' ? value : null;
}
