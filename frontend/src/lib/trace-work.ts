import { date } from './format';
import { isObject, type JsonObject } from './pointer';
import type { Science } from './science';
import { figureOf, traceRef, type Trace } from './traces';
import type { Origin, Provenance } from './types';

export const WORK_MODEL = 'performance.work_of_trace';

/** What the machines of a trace carried together. */
export type TraceWork = Science['performance.work_of_trace.Result'];

/** How large the machines are, in whatever words the planner entered it. */
export interface MachineSizes {
  cores_per_machine_count: number;
  ram_per_machine_gib: number | null;
  machines: { name: string; cores_count: number; ram_gib: number | null }[];
}

export const workParams = (trace: Trace, sizes: MachineSizes): object => ({
  trace: traceRef(trace),
  ...sizes,
});

// Below it a file counts seconds from its own start.
const CALENDAR_FROM_S = 365 * 86_400;

/** The day on which a trace ends; of a file without dates, the day on which it was read. */
export function dayOf(trace: Trace): string {
  const start = figureOf(trace, 'start_s') ?? 0;
  if (start < CALENDAR_FROM_S) return trace.created_at.slice(0, 10);
  const end = start + (figureOf(trace, 'duration_s') ?? 0);
  return new Date(end * 1000).toISOString().slice(0, 10);
}

function originOf(trace: Trace, note: string): Origin {
  const day = dayOf(trace);
  return {
    quality: 'measured',
    source: `Trace ${trace.title}, ${trace.file_name}, ${date(day)}`,
    url: null,
    as_of: day,
    low: null,
    high: null,
    note,
    entry: null,
  };
}

/** What a stream of a workload is by a log of requests, each value with where it comes from. */
export function withStream(held: Work, stream: JsonObject, trace: Trace): Work {
  const own = { name: 'Requests', model: 'Llama-3.1-70B', precisions: ['fp8'], ...stream };
  const origin = originOf(trace, 'Busiest hour, mean load and mean lengths of the log');
  const origins = Object.keys(stream).map((name) => [`/streams/0/${name}`, origin]);
  return {
    workload: { ...held.workload, streams: [own] },
    workload_provenance: { ...held.workload_provenance, ...Object.fromEntries(origins) },
  };
}

export interface Work {
  workload: JsonObject;
  workload_provenance: Provenance;
}

const OURS = ['/busy_cores_count', '/p99_ratio', '/ram_gib', '/shape'];

/** Growth that the trace has, where nobody entered another than a trace's. */
function grownBy(held: Work, found: TraceWork, origin: Origin) {
  const given = isObject(held.workload.growth) ? held.workload.growth : {};
  const growth: JsonObject = {};
  const origins: Provenance = {};
  for (const [name, of] of [
    ['cores_fraction_per_year', found.cores_growth],
    ['ram_fraction_per_year', found.ram_growth],
  ] as const) {
    const at = `/growth/${name}`;
    if (of === null || (given[name] && held.workload_provenance[at]?.quality !== 'measured'))
      continue;
    growth[name] = of.fraction_per_year;
    const [low, high] = [of.low_fraction_per_year, of.high_fraction_per_year];
    origins[at] = { ...origin, low, high };
  }
  return { growth: { ...given, ...growth }, origins };
}

/** A workload with what the trace says, each value with where it comes from; the rest stays. */
export function withTraceWork(held: Work, found: TraceWork, trace: Trace, run: string): Work {
  const { ram_mean_gib: ram, ram_p99_gib: high } = found;
  const origin = originOf(trace, `Run ${run.slice(0, 8)} of the model ${WORK_MODEL}`);
  const isDemand = isObject(held.workload) && held.workload.kind === 'demand';
  const before = isDemand ? held : { workload: {}, workload_provenance: {} };
  const hourly = { kind: 'hourly', values_ratio: found.shape_ratio };
  const grown = grownBy(before, found, origin);
  const origins = Object.entries(before.workload_provenance).filter(
    ([at]) =>
      !OURS.some((own) => at === own || at.startsWith(`${own}/`)) ||
      (at === '/ram_gib' && ram === null),
  );
  return {
    workload: {
      ...before.workload,
      kind: 'demand',
      busy_cores_count: found.busy_cores_mean_count,
      p99_ratio: found.p99_ratio,
      shape: found.shape === 'flat' ? { kind: 'flat' } : hourly,
      ...(Object.keys(grown.growth).length === 0 ? {} : { growth: grown.growth }),
      ...(ram === null ? {} : { ram_gib: ram }),
    },
    workload_provenance: {
      ...Object.fromEntries(origins),
      ...grown.origins,
      '/busy_cores_count': origin,
      '/p99_ratio': origin,
      ...(found.shape === 'flat' ? {} : { '/shape/values_ratio': origin }),
      ...(ram === null ? {} : { '/ram_gib': { ...origin, low: ram, high } }),
    } as Provenance,
  };
}
