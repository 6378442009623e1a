import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ActionHead } from '../../../components/action-head';
import { Button } from '../../../components/button';
import { Chip } from '../../../components/chip';
import { Fault } from '../../../components/fault';
import { Rich } from '../../../components/rich';
import { counted, dateTime, money, type Currency } from '../../../lib/format';
import type { Approval, Run } from '../../../lib/types';
import { useRemoveRun } from '../api/history';
import type { Chosen, Points, Row } from '../rows';
import styles from './history.module.css';

function RemoveRun({ run, remove }: { run: Run; remove: ReturnType<typeof useRemoveRun> }) {
  return (
    <Button
      small
      look="danger"
      disabled={remove.isPending}
      ask={`Remove the run of ${dateTime(run.submitted_at)} with its result?`}
      onClick={() => remove.mutate(run.id)}
    >
      Remove<span className="visually-hidden"> the run of {dateTime(run.submitted_at)}</span>
    </Button>
  );
}

interface BurstProps {
  run: Run;
  isOpen: boolean;
  onFold: (id: string) => void;
}

function Burst({ run, isOpen, onFold }: BurstProps) {
  if (!run.burst) return null;
  return (
    <Button small aria-expanded={isOpen} onClick={() => onFold(run.id)}>
      {counted(run.burst.runs_count, 'run')} while editing
      <span className="visually-hidden">, the last of {dateTime(run.submitted_at)}</span>
    </Button>
  );
}

// Rows that are drawn at first, and more with each press.
const SHOWN = 25;

interface Props {
  studyId: string;
  rows: readonly Row[];
  open: ReadonlySet<string>;
  approvals: readonly Approval[];
  version: string | undefined;
  points: Points | null;
  currency: Currency;
  mayRemove: boolean;
  onPoints: (change: Chosen) => void;
  onFold: (id: string) => void;
}

/** Runs, newest first, of which two can be chosen; those of one burst of editing fold. */
export function RunsTable(props: Props) {
  const { studyId, rows, open, approvals, version, points, currency, mayRemove } = props;
  const remove = useRemoveRun(studyId);
  const [shown, setShown] = useState(SHOWN);
  const isAt = (end: 'before' | 'after', run: Run) => {
    const id = points?.[end].id;
    const isFirst = end === 'before' && !open.has(run.id) && run.burst?.first.id === id;
    return run.id === id || (id !== undefined && isFirst);
  };
  return (
    <div className={styles.table} tabIndex={0} role="region" aria-label="Runs of this study">
      <table className={styles.runs}>
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
          {rows.slice(0, shown).map(({ run, isInner }) => (
            <tr key={run.id} className={isInner ? 'surface' : undefined}>
              {(['before', 'after'] as const).map((end) => (
                <td key={end}>
                  <input
                    type="radio"
                    name={end}
                    aria-label={`${end === 'before' ? 'From' : 'To'} the run of ${dateTime(run.submitted_at)}`}
                    checked={isAt(end, run)}
                    onChange={() => props.onPoints({ [end]: run.id })}
                  />
                </td>
              ))}
              <th scope="row">
                <Link to="/studies/$studyId/history/$runId" params={{ studyId, runId: run.id }}>
                  {dateTime(run.submitted_at)}
                </Link>
                <Burst run={run} isOpen={open.has(run.id)} onFold={props.onFold} />
              </th>
              <td className="num nowrap">
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
              <td className={styles.model}>
                {run.model_version}{' '}
                {version !== undefined && run.model_version !== version && (
                  <Chip tone="warning" title={`The plan is at version ${version} now.`}>
                    stale
                  </Chip>
                )}
              </td>
              {mayRemove && (
                <td className={styles.remove}>
                  <RemoveRun run={run} remove={remove} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown && (
        <Button look="quiet" onClick={() => setShown(shown + SHOWN)}>
          Show more
        </Button>
      )}
      <Fault of={remove} />
    </div>
  );
}
