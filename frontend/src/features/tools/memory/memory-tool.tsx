import { useQuery } from '@tanstack/react-query';
import { useId, useMemo } from 'react';
import { Button } from '../../../components/button';
import { ChartPanel } from '../../../components/chart-panel';
import { Segments, Select, Switch } from '../../../components/control';
import { Loading } from '../../../components/query-state';
import { answerQueryOptions } from '../../../lib/answers';
import { MISSING, quantity, range } from '../../../lib/format';
import { useMedia } from '../../../lib/media';
import { useTheme } from '../../../lib/theme';
import { coresAwake, memoryPower } from './memory-figure';
import {
  CURRENTS,
  MEMORY_MODEL,
  MEMORY_START,
  memoryParams,
  memorySentence,
  MODULES,
  POLICY_NAMES,
  sheetTaken,
  wattsSentence,
  type MemoryAnswer,
  type MemoryPart,
  type MemoryState,
} from './memory';
import { Refer } from '../frame/refer';
import { useToolState, type ToolProps } from '../frame/use-tool-state';
import { MemoryModule } from './memory-module';
import { MemoryPicker } from './memory-picker';
import { MemoryPolicies } from './policies';
import { NumberField } from '../frame/number-field';
import { Answer, Beside, Group, Panel, Wrong } from '../frame/view-frame';
import styles from '../frame/tools.module.css';

interface InputsProps {
  state: MemoryState;
  set: (change: Partial<MemoryState>) => void;
  reset: () => void;
}

type NumberKey = {
  [K in keyof MemoryState]: MemoryState[K] extends number ? K : never;
}[keyof MemoryState];

function Inputs({ state, set, reset }: InputsProps) {
  const module = useId();
  const { title, currents_of } = state.sheet_more;
  const field = (key: NumberKey, label: string, unit = '', low = 0, whole = false) => (
    <NumberField
      label={label}
      unit={unit}
      low={low}
      whole={whole}
      value={state[key]}
      onChange={(value) => set({ [key]: value })}
    />
  );
  return (
    <>
      <Group title="Servers">
        {field('servers', 'Servers, all alike', '', 1, true)}
        {field('installed_gib', 'Installed in each', 'GiB', 1)}
        <div className={styles.choice}>
          <label htmlFor={module}>Module</label>
          <Select
            id={module}
            value={state.module}
            choices={MODULES}
            onChange={(event) => set({ module: event.target.value })}
          />
        </div>
        <MemoryPicker onTake={(entry) => set(sheetTaken(entry, state))} />
      </Group>
      {state.module === 'typed' && (
        <Group title="Its data sheet">
          {typeof title === 'string' && <p>{title}</p>}
          {field('sheet_gib', 'Capacity', 'GiB', 1)}
          {field('sheet_ranks', 'Ranks', '', 1, true)}
          {field('sheet_devices', 'Devices of a rank', '', 1, true)}
          {field('sheet_v', 'Supply voltage', 'V')}
          {CURRENTS.map(({ key, label }) => (
            <NumberField
              key={key}
              label={label}
              unit="mA"
              low={0}
              optional
              value={state.sheet_ma[key] ?? null}
              onChange={(value) => set({ sheet_ma: { ...state.sheet_ma, [key]: value } })}
              onEmpty={() => {
                const { [key]: _gone, ...rest } = state.sheet_ma;
                set({ sheet_ma: rest });
              }}
            />
          ))}
          <p className="muted small">
            {currents_of === 'module'
              ? 'Currents of the whole module, its register in them.'
              : 'Currents of one device.'}
          </p>
        </Group>
      )}
      <Group title="Used at the busiest time">
        {field('used_low', 'At least', 'GiB')}
        {field('used_mode', 'Likely', 'GiB')}
        {field('used_high', 'At most', 'GiB')}
        {field('headroom', 'Headroom above it', 'fraction')}
      </Group>
      <Group title="Price of a module">
        {field('price_low', 'At least', 'USD')}
        {field('price_mode', 'Likely', 'USD')}
        {field('price_high', 'At most', 'USD')}
      </Group>
      <details className={styles.details}>
        <summary>Traffic, ranks and energy</summary>
        {field('traffic', 'Traffic of a server', 'MB/s')}
        {field('channels', 'Channels interleaved', '', 1, true)}
        <Switch
          label="Addresses spread over ranks too"
          checked={state.spread}
          onChange={(spread) => set({ spread })}
        />
        {field('cores', 'Cores', '', 1, true)}
        {field('process_ranks', 'Ranks of one process', '', 1, true)}
        {field('always_on_ranks', 'Ranks always on (DMA, kernel)', '', 0, true)}
        {field('wake_all_per_s', 'All ranks woken by the kernel', '1/s')}
        {field('electricity', 'Electricity', 'USD/kWh')}
        {field('pue', 'PUE', '', 1)}
      </details>
      <div>
        <Button small icon="reset" onClick={reset}>
          Back to the start
        </Button>
      </div>
    </>
  );
}

function between(low: number | null, high: number | null, unit: string): string {
  return low === null || high === null ? MISSING : range(low, high, unit);
}

function Policies({ answer }: { answer: MemoryAnswer }) {
  return (
    <Panel title="All servers, by policy">
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Policies compared">
        <table className={styles.ranking}>
          <thead>
            <tr>
              <th scope="col">Policy</th>
              <th scope="col">Power</th>
              <th scope="col">P10–P90</th>
              <th scope="col">Saves a year</th>
              <th scope="col">In money</th>
              <th scope="col">P10–P90</th>
            </tr>
          </thead>
          <tbody>
            {answer.policies.map((row) => (
              <tr key={row.policy}>
                <th scope="row">{POLICY_NAMES[row.policy]}</th>
                <td>{quantity(row.average_w, 'W')}</td>
                <td>{between(row.average_p10_w, row.average_p90_w, 'W')}</td>
                <td>{quantity(row.saving_kwh_per_year, 'kWh')}</td>
                <td>{quantity(row.saving_usd_per_year, 'USD')}</td>
                <td>{between(row.saving_p10_usd_per_year, row.saving_p90_usd_per_year, 'USD')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {answer.warnings.map((warning) => (
        <p key={warning} className="muted small">
          {warning}
        </p>
      ))}
      <p className="muted small">
        Gathering needs a system that moves pages and a controller that lets ranks refresh
        themselves. Less memory also means less bandwidth; that is not priced.
      </p>
    </Panel>
  );
}

function Evidence({ answer }: { answer: MemoryAnswer }) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const builds = useMemo(() => {
    const options = { theme, narrow };
    return {
      power: () => memoryPower(answer, options),
      cores: () => coresAwake(answer.cores, options),
    };
  }, [answer, theme, narrow]);
  return (
    <>
      <ChartPanel
        name="Memory power by policy"
        build={builds.power}
        height={320}
        empty={answer.reason ?? undefined}
      />
      <Policies answer={answer} />
      <ChartPanel name="What many cores leave asleep" build={builds.cores} height={280} />
    </>
  );
}

/** Memory that stands idle: gibibytes and dollars first, watts second. */
function IdleMemory({ of, state, set, reset }: InputsProps & { of: ToolProps }) {
  const params = useMemo(() => memoryParams(state), [state]);
  const answer = useQuery(answerQueryOptions<MemoryAnswer>(MEMORY_MODEL, params));
  const result = answer.data?.result;
  return (
    <>
      <Answer
        text={result ? memorySentence(result) : null}
        more={result ? wattsSentence(result) : undefined}
      />
      <Wrong error={answer.error} />
      <Beside inputs={<Inputs state={state} set={set} reset={reset} />}>
        {result ? (
          <>
            <Evidence answer={result} />
            <Refer of={of} model={MEMORY_MODEL} params={params} />
          </>
        ) : (
          <Loading minHeight={720} lines={10} />
        )}
      </Beside>
    </>
  );
}

const PARTS = [
  { value: 'idle', label: 'Idle memory' },
  { value: 'policies', label: 'Power policies' },
  { value: 'module', label: 'Modules' },
];

/** Memory: what stands idle, when ranks sleep, and what a module draws. */
export function MemoryTool(props: ToolProps) {
  const [state, set, reset] = useToolState(MEMORY_START, props);
  return (
    <>
      <div className={styles.views}>
        <Segments
          label="Question"
          value={state.part}
          choices={PARTS}
          onChange={(part) => set({ part: part as MemoryPart })}
        />
      </div>
      {state.part === 'policies' ? (
        <MemoryPolicies of={props} state={state} set={set} />
      ) : state.part === 'module' ? (
        <MemoryModule
          of={props}
          value={state.module_power}
          onChange={(module_power) => set({ module_power })}
        />
      ) : (
        <IdleMemory of={props} state={state} set={set} reset={reset} />
      )}
    </>
  );
}
