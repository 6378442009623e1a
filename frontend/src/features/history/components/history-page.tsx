import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { ActionHead } from '../../../components/action-head';
import { Button, buttonClass } from '../../../components/button';
import { ChartPanel } from '../../../components/chart-panel';
import { Chip } from '../../../components/chip';
import { Fault } from '../../../components/fault';
import { Failed, Loading } from '../../../components/query-state';
import { Rich } from '../../../components/rich';
import { dateTime, money, type Currency } from '../../../lib/format';
import { useMedia } from '../../../lib/media';
import { modelQueryOptions, PLAN } from '../../../lib/models';
import { useStartRun } from '../../../lib/runs';
import { useMayEdit } from '../../../lib/session';
import { useCurrency } from '../../../lib/studies';
import { useTheme } from '../../../lib/theme';
import type { Approval, Run } from '../../../lib/types';
import { approvalsQueryOptions, historyQueryOptions, useRemoveRun } from '../api/history';
import { costOverTime } from '../figures/moves';
import { oddsOverTime } from '../figures/odds';
import { Actuals } from './actuals';
import { Approvals } from './approvals';
import styles from './history.module.css';
import { Newer } from './newer';
import { Shares } from './shares';
import { Changes, Why, type Points } from './why';

function RemoveRun({ run, remove }: { run: Run; remove: ReturnType<typeof useRemoveRun> }) {
  const ask = () => {
    if (confirm(`Remove the run of ${dateTime(run.submitted_at)} with its result?`)) {
      remove.mutate(run.id);
    }
  };
  return (
    <Button small look="danger" disabled={remove.isPending} onClick={ask}>
      Remove<span className="visually-hidden"> the run of {dateTime(run.submitted_at)}</span>
    </Button>
  );
}

interface TableProps {
  studyId: string;
  runs: readonly Run[];
  approvals: readonly Approval[];
  version: string | undefined;
  points: Points | null;
  currency: Currency;
  mayRemove: boolean;
  onPoints: (change: { before?: string; after?: string }) => void;
}

function RunsTable(props: TableProps) {
  const { studyId, runs, approvals, version, points, currency, mayRemove, onPoints } = props;
  const remove = useRemoveRun(studyId);
  return (
    <div className={styles.table} tabIndex={0} role="region" aria-label="Runs of this study">
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Run</th>
            <th scope="col">Cost</th>
            <th scope="col">Verdict</th>
            <th scope="col">Model</th>
            {mayRemove && <ActionHead />}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              {(['before', 'after'] as const).map((end) => (
                <td key={end}>
                  <input
                    type="radio"
                    name={end}
                    aria-label={`${end === 'before' ? 'From' : 'To'} the run of ${dateTime(run.submitted_at)}`}
                    checked={points?.[end].id === run.id}
                    onChange={() => onPoints({ [end]: run.id })}
                  />
                </td>
              ))}
              <th scope="row">
                <Link to="/studies/$studyId/history/$runId" params={{ studyId, runId: run.id }}>
                  {dateTime(run.submitted_at)}
                </Link>
              </th>
              <td className={styles.number}>
                {run.winner} {money(run.cost_usd, currency)}
              </td>
              <td className={styles.verdict}>
                {approvals
                  .filter((approval) => approval.run.inputs_hash === run.inputs_hash)
                  .map((approval) => (
                    <span key={approval.id}>
                      <Chip tone="good">approved: {approval.name}</Chip>{' '}
                    </span>
                  ))}
                <Rich text={run.headline} />
              </td>
              <td>
                {run.model_version}{' '}
                {version !== undefined && run.model_version !== version && (
                  <Chip tone="warning" title={`The plan is at version ${version} now.`}>
                    stale
                  </Chip>
                )}
              </td>
              {mayRemove && (
                <td>
                  <RemoveRun run={run} remove={remove} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <Fault of={remove} />
    </div>
  );
}

/** Each state of the study once: what was asked again in between says nothing new. */
function states(runs: readonly Run[]): Run[] {
  return runs.filter((run, at) => {
    const older = runs[at + 1];
    return older?.inputs_hash !== run.inputs_hash || older.model_version !== run.model_version;
  });
}

function pointsOf(runs: readonly Run[], chosen: { before?: string; after?: string }) {
  const find = (id: string | undefined) => runs.find((run) => run.id === id);
  const after = find(chosen.after) ?? runs[0];
  const before = find(chosen.before) ?? runs.find((run) => run.id !== after?.id);
  return before && after && before.id !== after.id ? { before, after } : null;
}

const endsOf = ({ before, after }: Points): [string, string] => [
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
  const [chosen, setChosen] = useState<{ before?: string; after?: string }>({});
  const listed = history.data?.results;
  const runs = useMemo(() => listed && states(listed), [listed]);
  const build = useCallback(
    () => (runs ? costOverTime(runs, { theme, narrow, currency }) : null),
    [runs, theme, narrow, currency],
  );
  const buildOdds = useCallback(
    () => (runs ? oddsOverTime(runs, { theme, narrow }) : null),
    [runs, theme, narrow],
  );
  if (history.isError) {
    return <Failed error={history.error} onRetry={() => void history.refetch()} minHeight={320} />;
  }
  if (!runs) return <Loading minHeight={480} lines={10} />;
  const points = pointsOf(runs, chosen);
  return (
    <div className={styles.page}>
      <section className={styles.panel} aria-labelledby="runs-title">
        <div className={styles.line}>
          <div>
            <h2 id="runs-title">Runs</h2>
            <p className="muted">
              {runs.length === 0
                ? 'No run is kept yet.'
                : 'Choose two to see why the cost moved between them.'}
            </p>
          </div>
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
        </div>
        <Fault of={start} />
        {runs.length > 0 && (
          <RunsTable
            studyId={studyId}
            runs={runs}
            approvals={approvals}
            version={version}
            points={points}
            currency={currency}
            mayRemove={mayRun}
            onPoints={(change) => setChosen((now) => ({ ...now, ...change }))}
          />
        )}
      </section>
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
      {points && <Changes {...points} currency={currency} heads={endsOf(points)} />}
      <Actuals studyId={studyId} mayEdit={mayRun} />
      <div className={styles.charts}>
        <Approvals studyId={studyId} />
        {mayRun && <Shares studyId={studyId} latest={runs[0]} />}
      </div>
    </div>
  );
}
