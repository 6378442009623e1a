import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Behind } from '../../../components/behind';
import { loadPlotly } from '../../../components/plotly-figure';
import { useMedia } from '../../../lib/media';
import { modelQueryOptions } from '../../../lib/models';
import { useMayEdit } from '../../../lib/session';
import { SIMULATOR } from '../api/run-array';
import { useVerdict, verdictParams } from '../api/verdict';
import { writeState, readState, type ArraysSearch } from '../address';
import { entryOf, freeLetter, type Preset } from '../presets';
import { answeredOf } from '../result';
import type { ArraysState, Entry } from '../types';
import { usePlanned } from '../use-beside';
import { NOTHING_KNOWN, useOutlooks } from '../use-outlooks';
import { useRuns } from '../use-runs';
import { AddToStudy } from './add-to-study';
import { ArrayCard } from './array-card';
import { INPUTS, InputPanel } from './input-panel';
import { PageHead } from './page-head';
import { Results } from './results';
import styles from './arrays.module.css';

export interface ArraysPageProps {
  search: ArraysSearch;
  onSearch: (search: ArraysSearch) => void;
}

/** The arrays on the page; each change is written to the address, which can be shared. */
function useArrays({ search, onSearch }: ArraysPageProps) {
  const [state, setState] = useState(() => readState(search.s));
  const [written, setWritten] = useState(search.s);
  // An address that came from elsewhere: back, forward, a link.
  if (search.s !== written) {
    setWritten(search.s);
    setState(readState(search.s));
  }
  const put = useCallback(
    (next: ArraysState) => {
      const text = writeState(next);
      setState(next);
      setWritten(text);
      onSearch({ ...search, s: text });
    },
    [onSearch, search],
  );
  return { state, put };
}

function edited(state: ArraysState, letter: string, change: Partial<Entry>): ArraysState {
  const entries = state.entries.map((entry) =>
    entry.letter === letter ? { ...entry, ...change } : entry,
  );
  return { ...state, entries };
}

function added(state: ArraysState, make: (letter: string) => Entry): ArraysState {
  const letter = freeLetter(state.entries);
  if (!letter) return state;
  const entries = [...state.entries, make(letter)];
  return { ...state, entries: entries.sort((a, b) => a.letter.localeCompare(b.letter)) };
}

/** Arrays side by side: drawn as they are changed, and simulated request by request. */
export function ArraysPage(props: ArraysPageProps) {
  const { search, onSearch } = props;
  const { state, put } = useArrays(props);
  const [wanted, setWanted] = useState(state.entries[0]?.letter ?? 'A');
  const [adding, setAdding] = useState(false);
  const runs = useRuns(state);
  const model = useQuery(modelQueryOptions(SIMULATOR)).data;
  const folded = useMedia('(width <= 1024px)');
  const { entries } = state;
  const chosen = entries.find((entry) => entry.letter === wanted) ?? entries[0];
  const full = freeLetter(entries) === undefined;
  const { simulate } = runs;
  const start = useCallback(() => {
    void simulate();
    if (!search.run) onSearch({ s: writeState(state), run: true });
  }, [simulate, search.run, onSearch, state]);
  useEffect(() => {
    // Fetched before it is asked for: the first distribution then waits for the answer alone.
    void loadPlotly().catch(() => undefined);
  }, []);
  const mayRun = useMayEdit();
  const [opened] = useState(search.run || (mayRun && search.s === undefined));
  useEffect(() => {
    if (opened) void simulate();
    // The example shows its results at once, an address that was run its own again.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- changes wait for the button
  }, []);
  const rows = useMemo(() => answeredOf(state, runs.rows), [state, runs.rows]);
  const results = useMemo(
    () => new Map(runs.rows.map((row) => [row.letter, row.stale ? undefined : row.result])),
    [runs.rows],
  );
  const outlooks = useOutlooks(state);
  const planned = usePlanned(state, results);
  const verdict = useVerdict(rows);
  const ended = !runs.working && rows.length > 0;
  const params = useMemo(() => (ended ? { arrays: verdictParams(rows) } : null), [ended, rows]);
  const choose = (letter: string) => {
    setWanted(letter);
    // Where the inputs stand below the results, they are brought up.
    if (folded) document.getElementById(INPUTS)?.scrollIntoView({ block: 'start' });
  };
  const add = (preset: Preset) => {
    const letter = freeLetter(entries);
    const next = added(state, (free) => entryOf(preset, free));
    put(preset.workload ? { ...next, workload: preset.workload, recorded: null } : next);
    if (letter) setWanted(letter);
  };
  return (
    <main className="page">
      <PageHead
        state={state}
        headline={ended ? (verdict?.headline ?? '') : null}
        runs={runs}
        params={params}
        onStart={start}
        onAdd={() => setAdding(true)}
      />
      <Behind papers={model?.papers.map(({ id }) => id) ?? []} />
      {adding && <AddToStudy state={state} planned={planned} onClose={() => setAdding(false)} />}
      <div className={styles.split}>
        {chosen && (
          <InputPanel
            state={state}
            chosen={chosen}
            known={outlooks.get(chosen.letter) ?? NOTHING_KNOWN}
            onChoose={setWanted}
            onEntry={(change) => put(edited(state, chosen.letter, change))}
            onState={(change) => put({ ...state, ...change })}
            onAdd={full ? null : add}
          />
        )}
        <div className={styles.main}>
          <div className={styles.cards}>
            {entries.map((entry) => (
              <ArrayCard
                key={entry.letter}
                entry={entry}
                planned={planned.get(entry.letter)}
                known={outlooks.get(entry.letter) ?? NOTHING_KNOWN}
                chosen={entry === chosen}
                full={full}
                alone={entries.length === 1}
                result={results.get(entry.letter)}
                onChoose={() => choose(entry.letter)}
                onCopy={() =>
                  put(
                    added(state, (letter) => ({ ...entry, letter, title: `${entry.title}, copy` })),
                  )
                }
                onRemove={() =>
                  put({ ...state, entries: entries.filter((other) => other !== entry) })
                }
              />
            ))}
          </div>
          <Results {...{ state, runs, rows, verdict, planned }} />
        </div>
      </div>
    </main>
  );
}
