import { useMemo } from 'react';
import { Button } from '../../../components/button';
import { ToldChart } from '../../../components/told/told-figures';
import { messageOf } from '../../../lib/problem';
import { useVerdict } from '../api/verdict';
import { answeredOf } from '../result';
import type { ArraysState } from '../types';
import { useRuns } from '../use-runs';

/** Loads at which the curve is measured, and requests of the run that carries it. */
const POINTS = 14;
const REQUESTS = 20_000;

interface CurvePanelProps {
  state: ArraysState;
  className?: string;
}

/** Throughput against response, of drawn requests: measured by runs of its own, when it is asked for. */
export function CurvePanel({ state, className }: CurvePanelProps) {
  const asked = useMemo<ArraysState>(
    () => ({
      ...state,
      workload: { ...state.workload, requests_count: REQUESTS },
      replicates_count: 1,
      stop_interval_fraction: 0,
    }),
    [state],
  );
  const runs = useRuns(asked, { curve_points_count: POINTS });
  const rows = useMemo(() => answeredOf(asked, runs.rows), [asked, runs.rows]);
  const verdict = useVerdict(rows);
  const failed = runs.rows.find((row) => row.error !== null);
  const stale = runs.rows.some((row) => row.stale);
  const started = runs.rows.length > 0;
  const word = stale ? 'Measure again' : 'Measure the curve';
  const empty = runs.working
    ? `Each array is put under ${POINTS} loads.`
    : 'Each array is put under rising loads, up to the most that it serves.';
  return (
    <ToldChart
      name="Throughput against response"
      figure={verdict?.figures.find(({ name }) => name === 'Throughput against response')}
      className={className}
      empty={failed ? messageOf(failed.error) : empty}
      controls={
        (!started || stale || runs.working) && (
          <Button small disabled={runs.working} onClick={() => void runs.simulate()}>
            {runs.working ? 'Measuring …' : word}
          </Button>
        )
      }
    />
  );
}
