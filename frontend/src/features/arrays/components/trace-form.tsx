import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DocumentForm } from '../../../components/form/document-form';
import type { JsonSchema } from '../../../lib/schema';
import { tracesQueryOptions, type Trace } from '../../../lib/traces';
import { recordedOf } from '../recorded';
import type { Recorded, Replay } from '../types';
import { NONE, useDraft, useFrame } from '../use-draft';
import { SelectRow } from './fields';
import { SimulatorSchema } from './simulator-schema';

interface TraceFormProps {
  recorded: Recorded | null;
  onChange: (recorded: Recorded | null) => void;
}

function labelOf(trace: Trace): string {
  const count = (trace.rows_count ?? 0).toLocaleString('en-GB');
  return `${trace.title} (${trace.format_title}, ${count} requests)`;
}

interface ReplayProps {
  recorded: Recorded;
  root: JsonSchema;
  onChange: (next: Recorded) => void;
}

function ReplayFields({ recorded, root, onChange }: ReplayProps) {
  const schema = root.$defs?.Replay ?? {};
  const put = (replay: Replay) => onChange({ ...recorded, replay });
  const { replay: value } = recorded;
  const { form } = useDraft({ schema, root, value, faults: NONE, onChange: put });
  const frame = useFrame('replay', NONE);
  return <DocumentForm {...form} formId="replay" schema={schema} provenance={{}} frame={frame} />;
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
      {recorded && (
        <SimulatorSchema>
          {(root) => <ReplayFields recorded={recorded} root={root} onChange={onChange} />}
        </SimulatorSchema>
      )}
    </>
  );
}
