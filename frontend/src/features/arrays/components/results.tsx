import { useMemo, useState } from 'react';
import { ChartPanel } from '../../../components/chart-panel';
import { Segments } from '../../../components/control';
import { Icon } from '../../../components/icon';
import { useMedia } from '../../../lib/media';
import { messageOf } from '../../../lib/problem';
import { useTheme } from '../../../lib/theme';
import { cdf } from '../figures/cdf';
import { energyByCause, MANY_DISKS, timeInState } from '../figures/energy';
import { powerOverTime } from '../figures/power';
import type { Answered } from '../result';
import { tableRows, type Beside } from '../table-rows';
import type { ArraysState } from '../types';
import type { Runs } from '../use-runs';
import { CurvePanel } from './curve-panel';
import { FiguresTable } from './figures-table';
import styles from './arrays.module.css';

interface ResultsProps {
  state: ArraysState;
  runs: Runs;
  rows: readonly Answered[];
  beside: readonly Beside[];
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

function Notes({ rows }: { rows: readonly Answered[] }) {
  const notes = rows.flatMap(({ letter, result }) =>
    result.notes.map((note) => `${letter} ${note}`),
  );
  if (notes.length === 0) return null;
  return (
    <ul className={styles.notes} aria-label="Notes on the results">
      {notes.map((note) => (
        <li key={note}>
          <Icon name="info" size={14} /> {note}
        </li>
      ))}
    </ul>
  );
}

function emptyText(runs: Runs): string {
  if (runs.working) return 'The requests are being simulated.';
  if (runs.rows.some((row) => row.run?.state === 'cancelled')) {
    return 'The simulation was cancelled.';
  }
  const off = runs.rows.find((row) => row.result?.saturated);
  if (off?.result) return `Percentiles are withheld: ${off.result.withheld}.`;
  return 'Nothing has been simulated yet. Press Simulate.';
}

/** More bars than this want the whole width. */
const SIDE_BY_SIDE = 10;

function disksOf(rows: readonly Answered[]): number {
  return rows.reduce((sum, row) => sum + row.result.devices.length, 0);
}

function diskHeight(disks: number): number {
  return Math.max(280, disks * (disks > MANY_DISKS ? 9 : 24) + 90);
}

/** What the runs found, as charts and as a table. */
export function Results({ state, runs, rows, beside }: ResultsProps) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const [wanted, setWanted] = useState('');
  const shown = rows.find((row) => row.letter === wanted) ?? rows.at(-1);
  const builds = useMemo(() => {
    const options = { theme, narrow };
    return {
      cdf: () => cdf(rows, options),
      energy: () => energyByCause(rows, options),
      states: () => timeInState(rows, options),
    };
  }, [rows, theme, narrow]);
  const power = useMemo(
    () => () => powerOverTime(shown, { theme, narrow }),
    [shown, theme, narrow],
  );
  const empty = emptyText(runs);
  const disks = disksOf(rows);
  const many = disks > SIDE_BY_SIDE || state.recorded !== null;
  const wide = many ? styles.wideChart : undefined;
  const perArray = Math.max(220, rows.length * 44 + 96);
  return (
    <>
      <Faults runs={runs} />
      <Notes rows={rows} />
      <ChartPanel name="Response times" build={builds.cdf} height={340} empty={empty} />
      {rows.length > 0 && <FiguresTable rows={tableRows(rows, beside)} arrays={rows} />}
      {rows.length > 0 && (
        <div className={styles.charts}>
          <ChartPanel name="Energy by cause" build={builds.energy} height={perArray} />
          <ChartPanel
            name="Power over time"
            build={power}
            height={perArray}
            empty="The run was too short for a course over time."
            controls={
              rows.length > 1 && (
                <Segments
                  label="Power over time of array"
                  value={shown?.letter ?? ''}
                  choices={rows.map(({ letter }) => ({ value: letter, label: letter }))}
                  onChange={setWanted}
                />
              )
            }
          />
          {state.recorded === null && (
            <CurvePanel state={state} height={many ? 340 : diskHeight(disks)} className={wide} />
          )}
          <ChartPanel
            name="Time in each state"
            build={builds.states}
            height={diskHeight(disks)}
            className={wide}
          />
        </div>
      )}
    </>
  );
}
