import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { JobRow } from '../../../components/job-row';
import { QueryState } from '../../../components/query-state';
import { ChooseFile, DropAnywhere, UploadRows, useUploads } from '../../../components/uploads';
import { ViewerNote } from '../../../components/viewer-note';
import { date, quantity } from '../../../lib/format';
import { useMayEdit } from '../../../lib/session';
import {
  formatsQueryOptions,
  tracesQueryOptions,
  type Trace,
  type TraceDetail,
} from '../../../lib/traces';
import { useCancelTrace } from '../api/traces';
import { Measure } from './measure';
import styles from './traces.module.css';

function Facts({ trace }: { trace: Trace }) {
  const faults = trace.faults_count;
  return (
    <p className={`muted small num ${styles.facts}`}>
      <span>{trace.format_title}</span>
      <span>{quantity(trace.bytes, 'B')}</span>
      <span>{date(trace.created_at)}</span>
      {faults > 0 && (
        <span>
          {faults === 1 ? 'one line' : `${faults.toLocaleString('en-GB')} lines`} not read
        </span>
      )}
    </p>
  );
}

function TraceRow({ trace }: { trace: Trace }) {
  const cancel = useCancelTrace();
  const mayEdit = useMayEdit();
  const title = (
    <Link to="/traces/$traceId" params={{ traceId: trace.id }} className={styles.title}>
      {trace.title}
    </Link>
  );
  if (trace.state !== 'succeeded') {
    return (
      <div className={styles.row}>
        <JobRow
          title={title}
          job={trace}
          cancelling={cancel.isPending}
          onCancel={mayEdit ? () => cancel.mutate(trace.id) : undefined}
        />
      </div>
    );
  }
  return (
    <div className={styles.row}>
      {title}
      <p>{trace.headline}</p>
      <Facts trace={trace} />
    </div>
  );
}

const EMPTY =
  'No trace yet. Drop a file anywhere on this page: it is read once, summed up, and kept for your models.';

/** The workspace's traces; a file dropped anywhere becomes one. */
export function TracesPage({ onOpen }: { onOpen: (id: string) => void }) {
  const query = useQuery(tracesQueryOptions());
  const formats = useQuery(formatsQueryOptions);
  const uploads = useUploads<TraceDetail>('trace', (trace) => onOpen(trace.id));
  const mayEdit = useMayEdit();
  const take = (files: File[]) => files.forEach(uploads.send);
  return (
    <main className="page">
      {mayEdit && <DropAnywhere onFiles={take} />}
      <div className={styles.head}>
        <h1>Traces</h1>
        {mayEdit && (
          <ChooseFile onFiles={take} label="Trace file">
            Upload a trace
          </ChooseFile>
        )}
      </div>
      <ViewerNote can="read traces" cannot="upload, rename and delete them" />
      {mayEdit && (
        <div className={styles.zone}>
          <p>
            <strong>Drop a file anywhere on this page.</strong>{' '}
            <span className="muted">
              {formats.data?.sentence} Plain, gzip or zstd; the format is detected automatically.
            </span>
          </p>
        </div>
      )}
      {mayEdit && <Measure onOpen={onOpen} />}
      <UploadRows uploads={uploads} />
      <QueryState
        query={query}
        minHeight={240}
        isEmpty={(page) => page.results.length === 0}
        empty={mayEdit ? EMPTY : 'No trace yet.'}
      >
        {(page) => (
          <div className={styles.list}>
            {page.results.map((trace) => (
              <TraceRow key={trace.id} trace={trace} />
            ))}
          </div>
        )}
      </QueryState>
    </main>
  );
}
