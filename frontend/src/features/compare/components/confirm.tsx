import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../../components/button';
import type { Comparison } from '../../../lib/comparison';
import { messageOf } from '../../../lib/problem';
import { toolRunsQueryOptions, useReferTo, type ToolRun } from '../../../lib/tool-runs';
import { simulated, type Simulated } from '../simulated';
import styles from './compare.module.css';

interface OneProps {
  studyId: string;
  of: Simulated;
  /** Runs of the same that the study refers to. */
  before: readonly ToolRun[];
}

function One({ studyId, of: { letter, title, of, tool, model, params }, before }: OneProps) {
  const refer = useReferTo(studyId);
  const isKept = refer.isSuccess || before.some(({ stale }) => stale.length === 0);
  const run = () =>
    refer.mutate({
      tool,
      title,
      model,
      params,
      state: params,
      design: letter,
      // Whatever of these changes makes the run out of date.
      pointers: [`/designs/${letter}`, '/workload'],
      instead: before.map(({ run: id }) => id),
    });
  return (
    <li>
      <Button disabled={refer.isPending} onClick={run}>
        {refer.isPending ? 'Simulating …' : `Simulate ${of}`}
      </Button>{' '}
      <span className="muted small" aria-live="polite">
        {refer.error != null && messageOf(refer.error)}
        {isKept && !refer.isPending && (
          <>
            The study refers to this run.{' '}
            <Link to="/studies/$studyId/compare" params={{ studyId }} hash="tool-results">
              See it below
            </Link>
          </>
        )}
      </span>
    </li>
  );
}

/** Closed forms of storage groups, each to be confirmed by a simulation with the design's values. */
export function Confirm({ studyId, comparison }: { studyId: string; comparison: Comparison }) {
  const { data: kept = [] } = useQuery(toolRunsQueryOptions(studyId));
  const found = simulated(comparison);
  if (found.length === 0) return null;
  return (
    <section className={styles.confirm} aria-labelledby="confirm-title">
      <h2 id="confirm-title">Confirm the storage by simulation</h2>
      <p className="muted small">
        Response, durability and rebuilds of storage are closed forms. A run simulates each request
        with the design’s values: of a cluster before, during and after a node is rebuilt, of an
        array’s group with all drives in place and while one is rebuilt.
      </p>
      <ul>
        {found.map((one) => (
          <One
            key={one.of}
            studyId={studyId}
            of={one}
            before={kept.filter(
              ({ tool, design, title }) =>
                tool === one.tool && design === one.letter && title === one.title,
            )}
          />
        ))}
      </ul>
    </section>
  );
}
