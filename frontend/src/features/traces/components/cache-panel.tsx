import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button } from '../../../components/button';
import { numberClass, Select, TextInput } from '../../../components/control';
import type { Told } from '../../../components/told/told';
import { useModelRun } from '../../../lib/model-run';
import { modelQueryOptions } from '../../../lib/models';
import { isObject } from '../../../lib/pointer';
import { useMayEdit } from '../../../lib/session';
import type { Trace } from '../../../lib/traces';
import { parseTyped } from '../../../lib/units';
import {
  CACHE_LAYOUTS,
  CACHE_MODEL,
  CACHE_START,
  CACHE_WRITES,
  cacheParams,
  type CacheState,
} from '../cache';
import own from './cache-panel.module.css';
import { Answer, RunState, toldBy } from './told';
import styles from './traces.module.css';

interface NumberRowProps {
  label: string;
  unit: string;
  value: number | null;
  /** What stands for an empty field; without it a number is needed. */
  empty?: number;
  whole?: boolean;
  onChange: (value: number | null) => void;
}

/** The number that was typed, when it is one that can be taken. */
function fitting(text: string, whole = false): number | null {
  const value = parseTyped(text);
  return value !== null && value > 0 && (!whole || Number.isInteger(value)) ? value : null;
}

function NumberRow({ label, unit, value, empty, whole, onChange }: NumberRowProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const cleared = (text: string) => text.trim() === '' && empty !== undefined;
  const wrong = typed !== null && fitting(typed, whole) === null && !cleared(typed);
  const type = (text: string) => {
    setTyped(text);
    const next = fitting(text, whole);
    if (next !== null || cleared(text)) onChange(next);
  };
  return (
    <div className={own.field}>
      <label htmlFor={id}>
        {label}
        {unit && <span className="muted"> ({unit})</span>}
      </label>
      <TextInput
        id={id}
        inputMode="decimal"
        className={numberClass}
        value={typed ?? value?.toLocaleString('en-GB') ?? ''}
        placeholder={empty?.toLocaleString('en-GB')}
        aria-invalid={wrong}
        aria-describedby={wrong ? `${id}-wrong` : undefined}
        onChange={(event) => type(event.target.value)}
        onBlur={() => setTyped(null)}
      />
      {wrong && (
        <p id={`${id}-wrong`} className="small fault">
          Enter a {whole ? 'whole ' : ''}number above 0.
        </p>
      )}
    </div>
  );
}

interface ChoiceRowProps {
  label: string;
  value: string;
  choices: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

function ChoiceRow({ label, value, choices, onChange }: ChoiceRowProps) {
  const id = useId();
  return (
    <div className={own.field}>
      <label htmlFor={id}>{label}</label>
      <Select
        id={id}
        value={value}
        choices={choices}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

/** The model's own drive, whose values stand where none is typed. */
function useDrive() {
  const model = useQuery(modelQueryOptions(CACHE_MODEL));
  const held = model.data?.params_schema.properties?.device?.default;
  return isObject(held) ? held : {};
}

interface InputsProps {
  state: CacheState;
  drive: ReturnType<typeof useDrive>;
  set: (change: Partial<CacheState>) => void;
}

function Inputs({ state, drive, set }: InputsProps) {
  const known = (key: string) => {
    const value = drive[key];
    return typeof value === 'number' ? value : 0;
  };
  const ofDrive = (
    key: 'capacity_gb' | 'endurance_tb' | 'price_usd',
    label: string,
    unit: string,
  ) => (
    <NumberRow
      label={label}
      unit={unit}
      value={state[key]}
      empty={known(key)}
      onChange={(value) => set({ [key]: value })}
    />
  );
  return (
    <div className={own.fields}>
      <NumberRow
        label="Disks"
        unit=""
        whole
        value={state.disks_count}
        onChange={(value) => value !== null && set({ disks_count: value })}
      />
      <ChoiceRow
        label="Layout"
        value={state.layout}
        choices={CACHE_LAYOUTS}
        onChange={(layout) => set({ layout })}
      />
      <ChoiceRow
        label="Writes go"
        value={state.mode}
        choices={CACHE_WRITES}
        onChange={(mode) => set({ mode })}
      />
      {ofDrive('capacity_gb', 'Drive holds', 'GB')}
      {ofDrive('endurance_tb', 'Rated writes', 'TB')}
      {ofDrive('price_usd', 'Price', 'USD')}
      <NumberRow
        label="In service"
        unit="yr"
        value={state.life_years}
        onChange={(value) => value !== null && set({ life_years: value })}
      />
    </div>
  );
}

/** What a solid-state cache above disks would do for a block trace. */
export function CachePanel({ trace }: { trace: Trace }) {
  const [state, setState] = useState(CACHE_START);
  const drive = useDrive();
  const run = useModelRun<Told>(CACHE_MODEL, `ampacity.trace.cache.${trace.id}`);
  const mayEdit = useMayEdit();
  const { working, start } = run;
  const current = toldBy(run.current);
  const set = (change: Partial<CacheState>) => setState((now) => ({ ...now, ...change }));
  return (
    <section className={`${styles.panel} ${own.panel}`} aria-labelledby="cache-title">
      <h2 id="cache-title">What a solid-state cache would hold</h2>
      {current ? (
        <Answer id="cache-answer" of={current} />
      ) : (
        <p className="muted">
          The size that holds a day, what it would serve, save and wear, from every request of this
          trace.
        </p>
      )}
      <RunState title="Advice on the cache" of={run} />
      <Inputs state={state} drive={drive} set={set} />
      <div>
        <Button
          look={current ? undefined : 'primary'}
          disabled={working || !mayEdit}
          onClick={() => start({ params: cacheParams(trace, state, drive) })}
        >
          {working ? 'Working it out …' : current ? 'Work it out again' : 'Work it out'}
        </Button>
      </div>
      <p className="muted small">
        Empty fields take the values of the drive of Lee, Lee and Noh 2008. The disks are Barracuda
        ST3500320AS, always on.
      </p>
    </section>
  );
}
