import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../../components/button';
import { JobRow } from '../../../components/job-row';
import { Popover } from '../../../components/popover';
import { Empty, QueryState } from '../../../components/query-state';
import { isEnded } from '../../../lib/job-events';
import { modelQueryOptions } from '../../../lib/models';
import { runsQueryOptions, useCancelRun } from '../../../lib/runs';
import { studyChoicesQueryOptions } from '../../../lib/studies';
import type { Run } from '../../../lib/types';
import styles from './jobs-button.module.css';

function RunRow({ run }: { run: Run }) {
  const cancel = useCancelRun();
  const model = useQuery(modelQueryOptions(run.model)).data;
  const studies = useQuery({ ...studyChoicesQueryOptions, enabled: run.study !== null });
  const study = studies.data?.results.find(({ id }) => id === run.study);
  return (
    <JobRow
      title={
        <>
          <span title={run.model}>{model?.title ?? run.model}</span>
          {study && (
            <>
              {' · '}
              <Link to="/studies/$studyId" params={{ studyId: study.id }}>
                {study.title}
              </Link>
            </>
          )}
        </>
      }
      job={run}
      cancelling={cancel.isPending}
      onCancel={() => cancel.mutate(run.id)}
    />
  );
}

/** The jobs of the workspace: how many work now, and the last ones on demand. */
export function JobsButton() {
  const runs = useQuery(runsQueryOptions());
  const working = runs.data?.results.filter((run) => !isEnded(run.state)).length ?? 0;
  return (
    <Popover
      label="Runs"
      align="end"
      className={styles.panel}
      trigger={
        <Button
          look="quiet"
          icon="history"
          aria-label={working > 0 ? `Runs, ${working} at work` : 'Runs'}
        >
          <span className={styles.word}>Runs</span>{' '}
          {working > 0 && <span className="pill">{working}</span>}
        </Button>
      }
    >
      <h2>Runs</h2>
      <QueryState
        query={runs}
        empty="Nothing has run yet. A study's report runs it on a worker and keeps the result."
      >
        {(page) =>
          page.results.length === 0 ? (
            <Empty>Nothing has run yet.</Empty>
          ) : (
            <div className="lined">
              {page.results.slice(0, 8).map((run) => (
                <RunRow key={run.id} run={run} />
              ))}
            </div>
          )
        }
      </QueryState>
    </Popover>
  );
}
