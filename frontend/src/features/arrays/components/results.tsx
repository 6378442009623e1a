import { useState } from 'react';
import { Segments } from '../../../components/control';
import { Icon } from '../../../components/icon';
import { ToldChart } from '../../../components/told/told-figures';
import { ToldTables } from '../../../components/told/told-tables';
import { messageOf } from '../../../lib/problem';
import { usePlanTables, type Verdict } from '../api/verdict';
import type { Answered } from '../result';
import type { ArraysState } from '../types';
import type { Planned } from '../use-beside';
import type { Runs } from '../use-runs';
import { CurvePanel } from './curve-panel';
import styles from './arrays.module.css';

interface ResultsProps {
  state: ArraysState;
  runs: Runs;
  rows: readonly Answered[];
  verdict: Verdict | undefined;
  planned: ReadonlyMap<string, Planned>;
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

function Notes({ notes }: { notes: readonly string[] }) {
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

function emptyText(runs: Runs, drawing: boolean): string {
  if (drawing) return 'The results are being drawn.';
  if (runs.working) return 'The requests are being simulated.';
  if (runs.rows.some((row) => row.run?.state === 'cancelled')) {
    return 'The simulation was cancelled.';
  }
  const off = runs.rows.find((row) => row.result?.saturated);
  if (off?.result) return `Percentiles are withheld: ${off.result.withheld}.`;
  return 'Nothing has been simulated yet. Press Simulate.';
}

const NOTHING = { notes: [], tables: [], figures: [], over_time: [] };

/** More bars than this want the whole width. */
const SIDE_BY_SIDE = 10;

/** What the runs found, as charts and as a table. */
export function Results({ state, runs, rows, verdict, planned }: ResultsProps) {
  const [wanted, setWanted] = useState('');
  const plans = usePlanTables(rows, planned);
  const empty = emptyText(runs, verdict === undefined && rows.length > 0);
  const at = rows.findIndex(({ letter }) => letter === wanted);
  const shown = at < 0 ? rows.length - 1 : at;
  const { notes, tables, figures, over_time: over } = verdict ?? NOTHING;
  const drawn = (name: string) => figures.find((figure) => figure.name === name);
  const states = drawn('Time in each state');
  const many = (states?.rows.length ?? 0) > SIDE_BY_SIDE || state.recorded !== null;
  const wide = many ? styles.wideChart : undefined;
  return (
    <>
      <Faults runs={runs} />
      <Notes notes={notes} />
      <ToldChart name="Response times" figure={drawn('Response times')} empty={empty} />
      <ToldTables tables={[...tables, ...plans]} />
      {rows.length > 0 && (
        <div className={styles.charts}>
          <ToldChart name="Energy by cause" figure={drawn('Energy by cause')} />
          <ToldChart
            name="Power over time"
            figure={over[shown]}
            empty="The run was too short for a course over time."
            controls={
              rows.length > 1 && (
                <Segments
                  label="Power over time of array"
                  value={rows[shown]?.letter ?? ''}
                  choices={rows.map(({ letter }) => ({ value: letter, label: letter }))}
                  onChange={setWanted}
                />
              )
            }
          />
          {state.recorded === null && <CurvePanel state={state} className={wide} />}
          <ToldChart name="Time in each state" figure={states} className={wide} />
        </div>
      )}
    </>
  );
}
