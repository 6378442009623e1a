import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { messageOf } from '../lib/problem';
import {
  traceRef,
  tracesQueryOptions,
  type Trace,
  type TraceKind,
  type TraceRef,
} from '../lib/traces';
import { Select } from './control';

interface TracePickerProps {
  value: TraceRef | null;
  onChange: (value: TraceRef | null) => void;
  /** Only traces of this kind; both block requests and utilisation without it. */
  kind?: TraceKind;
  id?: string;
  'aria-label'?: string;
  'aria-invalid'?: boolean;
  'aria-describedby'?: string;
}

function labelOf(trace: Trace): string {
  return `${trace.title} (${trace.format_title})`;
}

/** Chooses one of the workspace's traces that have been read. */
export function TracePicker({ value, onChange, kind, ...rest }: TracePickerProps) {
  const query = useQuery(tracesQueryOptions({ kind, state: 'succeeded' }));
  const traces = (query.data?.results ?? []).filter((trace) => trace.kind !== 'latency');
  const gone = value && query.isSuccess && !traces.some((trace) => trace.id === value.trace_id);
  const choices = [
    { value: '', label: query.isPending ? 'Loading …' : 'None' },
    ...traces.map((trace) => ({ value: trace.id, label: labelOf(trace) })),
    ...(gone ? [{ value: value.trace_id, label: 'A trace that is no longer here' }] : []),
  ];
  return (
    <>
      <Select
        {...rest}
        choices={choices}
        value={value?.trace_id ?? ''}
        onChange={(event) => {
          const found = traces.find((trace) => trace.id === event.target.value);
          onChange(found ? traceRef(found) : null);
        }}
      />
      {query.isError && <p className="small">{messageOf(query.error)}</p>}
      {query.isSuccess && traces.length === 0 && (
        <p className="muted small">
          No trace fits yet. <Link to="/traces">Upload one</Link>
        </p>
      )}
    </>
  );
}
