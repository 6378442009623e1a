import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { Button, buttonClass } from '../../../components/button';
import { ChartPanel } from '../../../components/chart-panel';
import { Fault } from '../../../components/fault';
import { Panel } from '../../../components/panel';
import { Failed, Loading } from '../../../components/query-state';
import { dateTime } from '../../../lib/format';
import { useMedia } from '../../../lib/media';
import { modelQueryOptions, PLAN } from '../../../lib/models';
import { useStartRun } from '../../../lib/runs';
import { useMayEdit } from '../../../lib/session';
import { useCurrency } from '../../../lib/studies';
import { useTheme } from '../../../lib/theme';
import { approvalsQueryOptions, burstQueryOptions, historyQueryOptions } from '../api/history';
import { costOverTime } from '../figures/moves';
import { oddsOverTime } from '../figures/odds';
import { endsOf, pointsOf, rowsOf, states, type Chosen, type Points } from '../figures/rows';
import { Actuals } from './actuals';
import { Approvals } from './approvals';
import styles from './history.module.css';
import { Newer } from './newer';
import { RunsTable } from './runs-table';
import { Shares } from './shares';
import { Changes, Why } from './why';

/** Which bursts of editing are open, with their runs once these have come. */
function useOpened(studyId: string) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const found = useQueries({ queries: [...open].map((id) => burstQueryOptions(studyId, id)) });
  const opened = new Map([...open].map((id, at) => [id, found[at]?.data?.results ?? []]));
  const fold = (id: string) =>
    setOpen((now) => new Set(now.has(id) ? [...now].filter((one) => one !== id) : [...now, id]));
  return { open, opened, fold };
}

const headsOf = ({ before, after }: Points): [string, string] => [
  dateTime(before.submitted_at),
  dateTime(after.submitted_at),
];

/** What a study said before, why that moved, what was approved, and who is shown it. */
export function HistoryPage({ studyId }: { studyId: string }) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 720px)');
  const mayRun = useMayEdit();
  const currency = useCurrency(studyId);
  const history = useQuery(historyQueryOptions(studyId));
  const approvals = useQuery(approvalsQueryOptions(studyId)).data ?? [];
  const version = useQuery(modelQueryOptions(PLAN)).data?.version;
  const start = useStartRun();
  const [chosen, setChosen] = useState<Chosen>({});
  const listed = history.data?.results;
  const runs = useMemo(() => listed && states(listed), [listed]);
  const ends = useMemo(() => runs && endsOf(runs), [runs]);
  const { open, opened, fold } = useOpened(studyId);
  const build = useCallback(
    () => (ends ? costOverTime(ends, { theme, narrow, currency }) : null),
    [ends, theme, narrow, currency],
  );
  const buildOdds = useCallback(
    () => (ends ? oddsOverTime(ends, { theme, narrow }) : null),
    [ends, theme, narrow],
  );
  if (history.isError) {
    return <Failed error={history.error} onRetry={() => void history.refetch()} minHeight={320} />;
  }
  if (!runs) return <Loading minHeight={480} lines={10} />;
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
          <ChartPanel
            name="Cost over time"
            build={build}
            height={260}
            currency={currency}
            empty="Two runs with a cost are needed."
          />
          <ChartPanel
            name="Odds over time"
            build={buildOdds}
            height={260}
            empty="Two runs with simulations are needed."
          />
        </div>
      )}
      {points && <Changes {...points} currency={currency} heads={headsOf(points)} />}
      <Actuals studyId={studyId} mayEdit={mayRun} />
      <div className={styles.charts}>
        <Approvals studyId={studyId} />
        {mayRun && <Shares studyId={studyId} latest={runs[0]} />}
      </div>
    </div>
  );
}
