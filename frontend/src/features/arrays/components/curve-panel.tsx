import { useMemo } from 'react';
import { Button } from '../../../components/button';
import { ChartPanel } from '../../../components/chart-panel';
import { useMedia } from '../../../lib/media';
import { messageOf } from '../../../lib/problem';
import { useTheme } from '../../../lib/theme';
import { responseCurve } from '../figures/curve';
import { answeredOf } from '../result';
import type { ArraysState } from '../types';
import { useRuns } from '../use-runs';

/** Loads at which the curve is measured, and requests of the run that carries it. */
const POINTS = 14;
const REQUESTS = 20_000;

interface CurvePanelProps {
  state: ArraysState;
  height: number;
  className?: string;
}

/** Throughput against response, of drawn requests: measured by runs of its own, when it is asked for. */
export function CurvePanel({ state, height, className }: CurvePanelProps) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
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
  const build = useMemo(() => {
    const rows = answeredOf(asked, runs.rows);
    return () => responseCurve(rows, { theme, narrow });
  }, [asked, runs.rows, theme, narrow]);
  const failed = runs.rows.find((row) => row.error !== null);
  const stale = runs.rows.some((row) => row.stale);
  const started = runs.rows.length > 0;
  const word = stale ? 'Measure again' : 'Measure the curve';
  const empty = runs.working
    ? `Each array is put under ${POINTS} loads.`
    : 'Each array is put under rising loads, up to the most that it serves.';
  return (
    <ChartPanel
      name="Throughput against response"
      build={build}
      height={narrow ? Math.min(height, 340) : height}
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
