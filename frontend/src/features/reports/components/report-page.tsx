import { useQuery } from '@tanstack/react-query';
import { Button, buttonClass } from '../../../components/button';
import { Chip } from '../../../components/chip';
import { Fault } from '../../../components/fault';
import { Icon } from '../../../components/icon';
import { JobRow } from '../../../components/job-row';
import { QueryState } from '../../../components/query-state';
import { Rich } from '../../../components/rich';
import { percent, significant } from '../../../lib/format';
import { isEnded } from '../../../lib/job-events';
import { runsQueryOptions, useCancelRun, useStartRun } from '../../../lib/runs';
import { useMayEdit } from '../../../lib/session';
import type { Report, Run } from '../../../lib/types';
import {
  fileAddress,
  reportQueryOptions,
  reportsQueryOptions,
  useRemoveReport,
} from '../api/reports';
import { MakeReport } from './make-report';
import styles from './reports.module.css';

function size(bytes: number | null): string {
  if (bytes === null) return '';
  return bytes < 1e6 ? `${significant(bytes / 1e3)} kB` : `${significant(bytes / 1e6)} MB`;
}

function ReportRow({ listed, onRemove }: { listed: Report; onRemove?: (id: string) => void }) {
  const open = !isEnded(listed.state);
  const followed = useQuery({ ...reportQueryOptions(listed.id), enabled: open }).data;
  const report = followed ?? listed;
  const name = report.file_name || `${report.title}.${report.format}`;
  const ask = () => {
    const lost = 'Its file is deleted for good; a new report shows the study as it is then.';
    if (confirm(`Remove ${name}? ${lost}`)) onRemove?.(report.id);
  };
  return (
    <JobRow
      job={report}
      title={
        <>
          {name}{' '}
          <span className="muted small">
            {[report.format === 'pdf' && report.paper.toUpperCase(), size(report.bytes_count)]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </>
      }
    >
      {report.state === 'succeeded' && (
        <a className={buttonClass({ small: true })} href={fileAddress(report.id)} download>
          <Icon name="download" size={14} /> Download
        </a>
      )}
      {onRemove && (
        <Button small look="danger" onClick={ask}>
          Remove<span className="visually-hidden"> {name}</span>
        </Button>
      )}
    </JobRow>
  );
}

/** Whether the model, as it is now, gives other figures than the run that this repeats. */
function Moved({ run }: { run: Run }) {
  if (run.moved_count === null) return null;
  if (run.moved_count === 0) return <span className="muted small"> computed again: the same</span>;
  const figures = run.moved_count === 1 ? 'one figure' : `${run.moved_count} figures`;
  const most =
    run.moved_fraction === null ? '' : `, by at most ${percent(Math.abs(run.moved_fraction))}`;
  return (
    <Chip tone="warning">
      {figures} moved{most}
    </Chip>
  );
}

function RunRow({ run }: { run: Run }) {
  const cancel = useCancelRun();
  return (
    <JobRow
      job={run}
      title={
        <>
          {run.headline ? <Rich text={run.headline} /> : run.model}{' '}
          <span className={`muted ${styles.hash}`} title={`Hash of the inputs: ${run.inputs_hash}`}>
            {run.inputs_hash.slice(0, 10)}
          </span>
          {run.reused && <span className="muted small"> answered from an earlier run</span>}
          <Moved run={run} />
        </>
      }
      cancelling={cancel.isPending}
      onCancel={() => cancel.mutate(run.id)}
    >
      {run.state === 'succeeded' && (
        <a
          className={buttonClass({ small: true })}
          href={`/api/v1/runs/${run.id}/result.csv`}
          download
        >
          <Icon name="download" size={14} /> CSV
        </a>
      )}
      {run.state === 'succeeded' && run.model === 'plans.compare' && (
        <a
          className={buttonClass({ small: true })}
          href={`/api/v1/runs/${run.id}/focus.csv`}
          title="What the designs cost by year and cause, as rows of a FOCUS bill"
          download
        >
          <Icon name="download" size={14} /> FOCUS
        </a>
      )}
    </JobRow>
  );
}

function Runs({ studyId }: { studyId: string }) {
  const runs = useQuery(runsQueryOptions(studyId));
  const start = useStartRun();
  return (
    <section className={styles.panel} aria-labelledby="runs-title">
      <div className={styles.head}>
        <h2 id="runs-title">Stored runs</h2>
        <Button small disabled={start.isPending} onClick={() => start.mutate(studyId)}>
          Run now
        </Button>
      </div>
      <QueryState
        query={runs}
        minHeight={96}
        empty="No run of this study is stored. A run freezes its inputs and keeps its result."
      >
        {(page) => (
          <div className="lined">
            {page.results.map((run) => (
              <RunRow key={run.id} run={run} />
            ))}
          </div>
        )}
      </QueryState>
    </section>
  );
}

/** Reports of a study: make one, follow it, take it away. */
export function ReportPage({ studyId }: { studyId: string }) {
  const reports = useQuery(reportsQueryOptions(studyId));
  const remove = useRemoveReport(studyId);
  const mayRemove = useMayEdit();
  return (
    <div className={styles.page}>
      <MakeReport studyId={studyId} />
      <div className="stack gap-24">
        <section className={styles.panel} aria-labelledby="reports-title">
          <h2 id="reports-title">Reports</h2>
          <QueryState query={reports} minHeight={120} empty="No report of this study yet.">
            {(page) => (
              <div className="lined">
                {page.results.map((report) => (
                  <ReportRow
                    key={report.id}
                    listed={report}
                    onRemove={mayRemove ? (id) => remove.mutate(id) : undefined}
                  />
                ))}
              </div>
            )}
          </QueryState>
          <Fault of={remove} />
        </section>
        <Runs studyId={studyId} />
      </div>
    </div>
  );
}
