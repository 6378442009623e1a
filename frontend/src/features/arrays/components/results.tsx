import { useMemo } from 'react';
import { ChartPanel } from '../../../components/chart-panel';
import { Icon } from '../../../components/icon';
import { useMedia } from '../../../lib/media';
import { messageOf } from '../../../lib/problem';
import { useTheme } from '../../../lib/theme';
import { cdf } from '../figures/cdf';
import { saturationText } from '../result';
import type { ArraysState } from '../types';
import type { Runs } from '../use-runs';
import { answered } from './page-head';
import styles from './arrays.module.css';

interface ResultsProps {
  state: ArraysState;
  runs: Runs;
}

function Faults({ runs }: { runs: Runs }) {
  const rows = runs.rows.flatMap((row) => {
    const failed = row.run?.state === 'failed' ? row.run.error : null;
    const texts = failed ? [failed.message, ...failed.faults.map((fault) => fault.message)] : [];
    const text = row.error != null ? messageOf(row.error) : texts.join(' ');
    return text ? [{ letter: row.letter, text }] : [];
  });
  return rows.map(({ letter, text }) => (
    <p key={letter} className={styles.error} role="alert">
      <Icon name="warning" /> Array {letter}: {text}
    </p>
  ));
}

function emptyText(runs: Runs): string {
  if (runs.working) return 'The requests are being simulated.';
  if (runs.rows.some((row) => row.run?.state === 'cancelled'))
    return 'The simulation was cancelled.';
  const off = runs.rows.find((row) => row.result?.saturated);
  if (off?.result) return `Percentiles are withheld: ${saturationText(off.result)}.`;
  return 'Nothing has been simulated yet.';
}

/** What the runs found, as charts and as a table. */
export function Results({ state, runs }: ResultsProps) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const rows = useMemo(() => answered(state, runs), [state, runs]);
  const builds = useMemo(() => {
    const options = { theme, narrow };
    return { cdf: () => cdf(rows, options) };
  }, [rows, theme, narrow]);
  return (
    <>
      <Faults runs={runs} />
      <ChartPanel name="Response times" build={builds.cdf} height={340} empty={emptyText(runs)} />
    </>
  );
}
