import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { tracesQueryOptions, type Trace } from '../../../lib/traces';
import { recordedOf } from '../recorded';
import type { Recorded, Replay } from '../types';
import { NumberRow, SelectRow } from './fields';

interface TraceFormProps {
  recorded: Recorded | null;
  onChange: (recorded: Recorded | null) => void;
}

const TIMINGS: { value: Replay['timing']; label: string }[] = [
  { value: 'recorded', label: 'At the recorded times' },
  { value: 'scaled', label: 'At stretched times' },
  { value: 'closed', label: 'When the last one is done' },
];

function labelOf(trace: Trace): string {
  const count = (trace.rows_count ?? 0).toLocaleString('en-GB');
  return `${trace.title} (${trace.format_title}, ${count} requests)`;
}

function ReplayFields({
  recorded,
  onChange,
}: {
  recorded: Recorded;
  onChange: (next: Recorded) => void;
}) {
  const { replay } = recorded;
  const change = (part: Partial<Replay>) =>
    onChange({ ...recorded, replay: { ...replay, ...part } });
  return (
    <>
      <SelectRow
        label="Played"
        value={replay.timing}
        choices={TIMINGS}
        onChange={(timing) => change({ timing })}
      />
      {replay.timing === 'scaled' && (
        <NumberRow
          label="Time scale"
          hint="0.5 doubles the load."
          value={replay.time_ratio}
          least={0.0001}
          onChange={(ratio) => ratio !== null && change({ time_ratio: ratio })}
        />
      )}
      {replay.timing === 'closed' && (
        <>
          <NumberRow
            label="Queue depth"
            unit="requests"
            value={replay.users_count}
            least={1}
            whole
            onChange={(count) => count !== null && change({ users_count: count })}
          />
          <NumberRow
            label="Think time"
            unit="ms"
            value={replay.think_ms}
            empty="as recorded"
            onChange={(think_ms) => change({ think_ms })}
          />
        </>
      )}
      <SelectRow
        label="Several devices"
        value={replay.devices}
        choices={[
          { value: 'side_by_side', label: 'One after another' },
          { value: 'folded', label: 'Overlay' },
        ]}
        onChange={(devices) => change({ devices })}
      />
    </>
  );
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
      <SelectRow
        label="Requests"
        value={recorded?.trace.trace_id ?? ''}
        choices={choices}
        onChange={choose}
      />
      {query.isSuccess && traces.length === 0 && (
        <p className="muted small">
          A recorded trace can take their place: <Link to="/traces">drop a file</Link>.
        </p>
      )}
      {recorded && <ReplayFields recorded={recorded} onChange={onChange} />}
    </>
  );
}
