import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Select } from '../../../components/control';
import { tracesQueryOptions, type Trace } from '../../../lib/traces';
import { recordedOf } from '../recorded';
import type { Recorded } from '../types';
import { Row } from './fields';
import { SchemaForm } from './schema-form';

interface TraceFormProps {
  recorded: Recorded | null;
  onChange: (recorded: Recorded | null) => void;
}

function labelOf(trace: Trace): string {
  const count = (trace.rows_count ?? 0).toLocaleString('en-GB');
  return `${trace.title} (${trace.format_title}, ${count} requests)`;
}

/** Whether requests are drawn by chance or come from an uploaded trace. */
export function TraceForm({ recorded, onChange }: TraceFormProps) {
  const query = useQuery(tracesQueryOptions({ kind: 'block', state: 'succeeded' }));
  const traces = (query.data?.results ?? []).filter(({ sha256 }) => sha256 !== '');
  const known = traces.some(({ id }) => id === recorded?.trace.trace_id);
  const choices = [
    { value: '', label: 'Random' },
    ...(recorded && !known ? [{ value: recorded.trace.trace_id, label: recorded.title }] : []),
    ...traces.map((trace) => ({ value: trace.id, label: labelOf(trace) })),
  ];
  const choose = (id: string) => {
    const trace = traces.find((one) => one.id === id);
    if (id === '') onChange(null);
    else if (trace) onChange(recordedOf(trace));
  };
  return (
    <>
      <Row label="Requests">
        {(id) => (
          <Select
            id={id}
            value={recorded?.trace.trace_id ?? ''}
            choices={choices}
            onChange={(event) => choose(event.target.value)}
          />
        )}
      </Row>
      {query.isSuccess && traces.length === 0 && (
        <p className="muted small">
          A recorded trace can take their place: <Link to="/traces">drop a file</Link>.
        </p>
      )}
      {recorded && (
        <SchemaForm
          name="replay"
          part={({ $defs }) => $defs?.Replay}
          value={recorded.replay}
          onChange={(replay) => onChange({ ...recorded, replay })}
        />
      )}
    </>
  );
}
