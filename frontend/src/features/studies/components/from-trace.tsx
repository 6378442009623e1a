import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Rich } from '../../../components/rich';
import { resultQueryOptions } from '../../../lib/runs';
import { isObject, type JsonObject } from '../../../lib/pointer';
import { withStream, withTraceWork, type TraceWork, type Work } from '../../../lib/trace-work';
import { traceQueryOptions, type Trace } from '../../../lib/traces';
import type { NewStudySearch } from '../search';
import { BLANK } from '../work';
import styles from './new-study.module.css';

export interface Traced {
  trace: Trace;
  found: Pick<TraceWork, 'headline' | 'notes'>;
  work: Work;
}

const NONE = { data: null, error: null };

// RAM that the trace does not hold is unknown, not zero.
const START: Work = { workload: { kind: BLANK.kind ?? 'demand' }, workload_provenance: {} };

/** The work that a run found in a trace: null where none is asked for, nothing while it loads. */
export function useTraced({ trace: id, work: run }: NewStudySearch) {
  const trace = useQuery({ ...traceQueryOptions(id ?? ''), enabled: id !== undefined });
  const found = useQuery({ ...resultQueryOptions<TraceWork>(run ?? ''), enabled: !!run });
  if (!id) return NONE;
  const stream = (trace.data?.summary as JsonObject | null | undefined)?.stream;
  if (!run) {
    if (trace.data && !isObject(stream)) return NONE;
    const ofLog: Traced | undefined =
      trace.data && isObject(stream)
        ? {
            trace: trace.data,
            found: { headline: trace.data.headline ?? '', notes: [] },
            work: withStream({ workload: BLANK, workload_provenance: {} }, stream, trace.data),
          }
        : undefined;
    return { data: ofLog, error: trace.error };
  }
  const data: Traced | undefined =
    trace.data && found.data
      ? {
          trace: trace.data,
          found: found.data,
          work: withTraceWork(START, found.data, trace.data, run),
        }
      : undefined;
  return { data, error: trace.error ?? found.error };
}

/** What the fields below were filled from. */
export function FromTrace({ traced: { trace, found } }: { traced: Traced }) {
  return (
    <div className={styles.traced}>
      <p>
        From the trace{' '}
        <Link to="/traces/$traceId" params={{ traceId: trace.id }}>
          {trace.title}
        </Link>
        : <Rich text={found.headline} />
      </p>
      {found.notes.map((sentence) => (
        <p key={sentence} className="muted small">
          {sentence}
        </p>
      ))}
    </div>
  );
}
