import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, buttonClass } from '../../../components/button';
import { Fault } from '../../../components/fault';
import { Panel } from '../../../components/panel';
import { Failed, Loading } from '../../../components/query-state';
import { ToldChart } from '../../../components/told/told-figures';
import { dateTime } from '../../../lib/format';
import { modelQueryOptions, PLAN } from '../../../lib/models';
import { useStartRun } from '../../../lib/runs';
import { useMayEdit } from '../../../lib/session';
import { useCurrency } from '../../../lib/studies';
import { approvalsQueryOptions, burstQueryOptions, historyQueryOptions } from '../api/history';
import { pointsOf, rowsOf, type Chosen } from '../rows';
import { Actuals } from './actuals';
import { Approvals } from './approvals';
import styles from './history.module.css';
import { Newer } from './newer';
import { RunsTable } from './runs-table';
import { Shares } from './shares';
import { Changes, Why } from './why';

const OVER_TIME = [
  ['Cost over time', 'a cost'],
  ['Odds over time', 'simulations'],
] as const;

/** Which bursts of editing are open, with their runs once these have come. */
function useOpened(studyId: string) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const found = useQueries({ queries: [...open].map((id) => burstQueryOptions(studyId, id)) });
  const opened = new Map([...open].map((id, at) => [id, found[at]?.data?.results ?? []]));
  const fold = (id: string) =>
    setOpen((now) => new Set(now.has(id) ? [...now].filter((one) => one !== id) : [...now, id]));
  return { open, opened, fold };
}

/** What a study said before, why that moved, what was approved, and who is shown it. */
export function HistoryPage({ studyId }: { studyId: string }) {
  const mayRun = useMayEdit();
  const currency = useCurrency(studyId);
  const history = useQuery(historyQueryOptions(studyId));
  const approvals = useQuery(approvalsQueryOptions(studyId)).data ?? [];
  const version = useQuery(modelQueryOptions(PLAN)).data?.version;
  const start = useStartRun();
  const [chosen, setChosen] = useState<Chosen>({});
  const { open, opened, fold } = useOpened(studyId);
  if (history.isError) {
    return <Failed error={history.error} onRetry={() => void history.refetch()} minHeight={320} />;
  }
  if (!history.data) return <Loading minHeight={480} lines={10} />;
  const { results: runs, figures } = history.data;
  const rows = rowsOf(runs, opened);
  const points = pointsOf(runs, rows, chosen);
  return (
    <div className="stack gap-24">
      <Panel
        id="runs"
        title="Runs"
        about={
          runs.length === 0
            ? 'No run is kept yet.'
            : 'Choose two to see why the cost moved between them.'
        }
        actions={
          <>
            {points && (
              <Link
                className={buttonClass()}
                to="/studies/$studyId/history/beside"
                params={{ studyId }}
                search={{ left: points.before.id, right: points.after.id }}
              >
                Side by side
              </Link>
            )}
            {mayRun && (
              <Button disabled={start.isPending} onClick={() => start.mutate(studyId)}>
                Run and keep
              </Button>
            )}
          </>
        }
      >
        <Fault of={start} />
        {runs.length > 0 && (
          <RunsTable
            studyId={studyId}
            rows={rows}
            open={open}
            approvals={approvals}
            version={version}
            points={points}
            currency={currency}
            mayRemove={mayRun}
            onPoints={(change) => setChosen((now) => ({ ...now, ...change }))}
            onFold={fold}
          />
        )}
      </Panel>
      <Newer studyId={studyId} />
      {points && (
        <div className={styles.charts}>
          <Why {...points} currency={currency} />
          {OVER_TIME.map(([name, known]) => (
            <ToldChart
              key={name}
              name={name}
              figure={figures.find((one) => one.name === name)}
              height={260}
              currency={currency}
              empty={`Two runs with ${known} are needed.`}
            />
          ))}
        </div>
      )}
      {points && (
        <Changes
          {...points}
          currency={currency}
          heads={[dateTime(points.before.submitted_at), dateTime(points.after.submitted_at)]}
        />
      )}
      <Actuals studyId={studyId} mayEdit={mayRun} />
      <div className={styles.charts}>
        <Approvals studyId={studyId} />
        {mayRun && <Shares studyId={studyId} latest={runs[0]} />}
      </div>
    </div>
  );
}
