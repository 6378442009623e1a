import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { TextInput } from '../../../components/control';
import { Dialog } from '../../../components/dialog';
import { JobRow } from '../../../components/job-row';
import { Loading, QueryState } from '../../../components/query-state';
import { ToldFigures } from '../../../components/told/told-figures';
import { ToldTables } from '../../../components/told/told-tables';
import { ViewerNote } from '../../../components/viewer-note';
import type { UseDrive } from './fitted-drive';
import { date, quantity } from '../../../lib/format';
import { messageOf } from '../../../lib/problem';
import { useMayEdit } from '../../../lib/session';
import { figureOf, traceQueryOptions, type TraceDetail } from '../../../lib/traces';
import { lengthOf } from '../../../lib/lengths';
import {
  chartsQueryOptions,
  toldQueryOptions,
  useCancelTrace,
  useDeleteTrace,
  useRenameTrace,
} from '../api/traces';
import { hasPower } from '../power';
import { CachePanel } from './cache-panel';
import { CalibrationPanel } from './calibration-panel';
import { PowerPanel } from './power-panel';
import { RecordedPanel } from './recorded-panel';
import { RequestUses, TraceUses } from './trace-uses';
import { WorkPanel } from './work-panel';
import styles from './traces.module.css';

function Faults({ trace }: { trace: TraceDetail }) {
  if (trace.faults_count === 0) return null;
  const count = trace.faults_count.toLocaleString('en-GB');
  const more = trace.faults_count - trace.faults.length;
  return (
    <section className={styles.panel} aria-labelledby="faults-title">
      <h2 id="faults-title">
        {trace.faults_count === 1
          ? 'One line could not be read'
          : `${count} lines could not be read`}
      </h2>
      <p className="muted small">They are left out of everything above.</p>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Lines not read">
        <table>
          <thead>
            <tr>
              <th scope="col" className={styles.number}>
                Line
              </th>
              <th scope="col">What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {trace.faults.map((fault, at) => (
              <tr key={at}>
                <td className={styles.number}>{fault.line.toLocaleString('en-GB')}</td>
                <td>{fault.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && <p className="muted small">and {more.toLocaleString('en-GB')} more</p>}
    </section>
  );
}

function Title({ trace }: { trace: TraceDetail }) {
  const rename = useRenameTrace();
  const mayEdit = useMayEdit();
  const [typed, setTyped] = useState<string | null>(null);
  if (typed === null) {
    return (
      <>
        <h1>{trace.title}</h1>
        {mayEdit && (
          <Button look="quiet" onClick={() => setTyped(trace.title)}>
            Rename
          </Button>
        )}
      </>
    );
  }
  return (
    <form
      className={styles.rename}
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim()) rename.mutate({ id: trace.id, title: typed.trim() });
        setTyped(null);
      }}
    >
      <TextInput
        aria-label="Title of the trace"
        maxLength={lengthOf('PatchedTraceRenameInput.title')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button look="primary" type="submit">
        Save
      </Button>
      <Button onClick={() => setTyped(null)}>Cancel</Button>
    </form>
  );
}

function DeleteButton({ trace, onDeleted }: { trace: TraceDetail; onDeleted: () => void }) {
  const [asking, setAsking] = useState(false);
  const remove = useDeleteTrace();
  return (
    <>
      <Button look="danger" icon="trash" onClick={() => setAsking(true)}>
        Delete
      </Button>
      {asking && (
        <Dialog
          title="Delete this trace?"
          width={440}
          onClose={() => setAsking(false)}
          footer={
            <>
              <Button onClick={() => setAsking(false)}>Keep it</Button>
              <Button
                look="danger"
                disabled={remove.isPending}
                onClick={() => remove.mutate(trace.id, { onSuccess: onDeleted })}
              >
                Delete the trace
              </Button>
            </>
          }
        >
          <p>
            {trace.title} and its columns are removed. Results that were computed from it stay; they
            cannot be computed again.
          </p>
          {remove.isError && <p className="fault">{messageOf(remove.error)}</p>}
        </Dialog>
      )}
    </>
  );
}

const hasResponses = ({ summary }: TraceDetail) =>
  Boolean((summary as { response?: object | null } | null)?.response);

/** Whether its requests can be put to an array. */
const isReplayable = (trace: TraceDetail) =>
  trace.kind === 'block' && trace.state === 'succeeded' && trace.sha256 !== '';

/** Whether it says how busy machines were. */
const hasWork = (trace: TraceDetail) =>
  trace.kind === 'utilization' && figureOf(trace, 'cpu_mean_fraction') !== null;

interface ReadyProps {
  trace: TraceDetail;
  onUseDrive: UseDrive;
}

/** Calibration of a drive by each size of block that was measured. */
function Measured({ trace, onUse }: { trace: TraceDetail; onUse: UseDrive }) {
  const calibrations = useQuery(chartsQueryOptions(trace.id)).data?.calibrations ?? [];
  return (
    calibrations.length > 0 && (
      <CalibrationPanel calibrations={calibrations} trace={trace.title} onUse={onUse} />
    )
  );
}

function Ready({ trace, onUseDrive }: ReadyProps) {
  const query = useQuery(toldQueryOptions(trace.id));
  return (
    <>
      <QueryState query={query} minHeight={600} loading={<Loading minHeight={600} lines={8} />}>
        {({ headline, notes, tables, figures }) => (
          <>
            <div className={styles.summary} data-testid="trace-summary">
              <p className={styles.lead}>{headline}</p>
              {notes.map((sentence) => (
                <p key={sentence}>{sentence}</p>
              ))}
              <p className={`muted small num ${styles.facts}`}>
                <span>{trace.format_title}</span>
                <span>{trace.file_name}</span>
                <span>
                  {quantity(trace.bytes, 'B')} uploaded
                  {trace.stored_bytes !== null ? `, ${quantity(trace.stored_bytes, 'B')} kept` : ''}
                </span>
                <span>{date(trace.created_at)}</span>
                <span title={trace.sha256}>content {trace.sha256.slice(0, 10)}</span>
              </p>
            </div>
            {hasWork(trace) && <TraceUses trace={trace} />}
            {trace.kind === 'inference' && <RequestUses trace={trace} />}
            <div className={styles.charts}>
              <ToldFigures figures={figures} />
            </div>
            <div className={styles.charts}>
              <ToldTables tables={tables} />
            </div>
          </>
        )}
      </QueryState>
      {trace.format === 'fio_json' && <Measured trace={trace} onUse={onUseDrive} />}
      {trace.kind === 'block' && figureOf(trace, 'footprint_bytes') !== null && (
        <CachePanel trace={trace} />
      )}
      {trace.kind === 'block' && hasResponses(trace) && (
        <RecordedPanel trace={trace} onUse={onUseDrive} />
      )}
      {hasWork(trace) && <WorkPanel trace={trace} />}
      {hasPower(trace) && <PowerPanel trace={trace} />}
      <Faults trace={trace} />
    </>
  );
}

interface TracePageProps {
  traceId: string;
  onDeleted: () => void;
  /** Takes a drive that was fitted to this trace to the array designer. */
  onUseDrive: UseDrive;
  /** Puts the requests of this trace to arrays. */
  onSimulate: (trace: TraceDetail) => void;
}

/** One trace: what it is like in sentences and charts, and what could not be read. */
export function TracePage(props: TracePageProps) {
  const { traceId, onDeleted, onUseDrive, onSimulate } = props;
  const query = useQuery(traceQueryOptions(traceId));
  const cancel = useCancelTrace();
  const mayEdit = useMayEdit();
  return (
    <main className="page">
      <p className="small">
        <Link to="/traces">Traces</Link>
      </p>
      <QueryState query={query} minHeight={480}>
        {(trace) => (
          <>
            <div className={styles.head}>
              <Title trace={trace} />
              {mayEdit && <DeleteButton trace={trace} onDeleted={onDeleted} />}
              {isReplayable(trace) && (
                <Button look="primary" icon="chart" onClick={() => onSimulate(trace)}>
                  Simulate on arrays
                </Button>
              )}
            </div>
            <ViewerNote can="read this trace" cannot="compute from it, rename and delete it" />
            {trace.state === 'succeeded' ? (
              <Ready key={trace.id} trace={trace} onUseDrive={onUseDrive} />
            ) : (
              <JobRow
                title={`Reading ${trace.file_name}`}
                job={trace}
                cancelling={cancel.isPending}
                onCancel={mayEdit ? () => cancel.mutate(trace.id) : undefined}
              />
            )}
          </>
        )}
      </QueryState>
    </main>
  );
}
