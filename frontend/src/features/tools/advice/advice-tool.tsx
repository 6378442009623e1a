import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useMemo } from 'react';
import { Button } from '../../../components/button';
import { Chip, type Tone } from '../../../components/chip';
import { Select } from '../../../components/control';
import { Loading } from '../../../components/query-state';
import { answerQueryOptions } from '../../../lib/answers';
import {
  ADVICE_MODEL,
  ADVICE_START,
  adviceParams,
  adviceSentence,
  BOUNDS,
  limits,
  NEXT,
  VERDICT_WORDS,
  type Advice as Found,
  type AdviceState,
  type Verdict,
} from './advice';
import { Refer } from '../frame/refer';
import { useToolState, type ToolProps } from '../frame/use-tool-state';
import { NumberField } from '../frame/number-field';
import { Answer, Beside, Group, Panel, Wrong } from '../frame/view-frame';
import own from './advice.module.css';
import styles from '../frame/tools.module.css';

const TONES: Record<Verdict, Tone> = {
  wimpy_win: 'good',
  depends: 'neutral',
  wimpy_lose: 'bad',
};

interface InputsProps {
  state: AdviceState;
  set: (change: Partial<AdviceState>) => void;
  reset: () => void;
}

type NumberKey = Exclude<keyof AdviceState, 'bound_by' | 'latency_bound_ms'>;

function Inputs({ state, set, reset }: InputsProps) {
  const bound = useId();
  const field = (
    key: NumberKey,
    label: string,
    { unit = '', low = 0.001, high, whole }: Range = {},
  ) => (
    <NumberField
      label={label}
      unit={unit}
      low={low}
      high={high}
      whole={whole}
      value={state[key]}
      onChange={(value) => set({ [key]: value })}
    />
  );
  const share = { unit: 'fraction', low: 0, high: 1 };
  const count = { low: 1, whole: true };
  return (
    <>
      <Group title="What does the work wait for?">
        <div className={styles.choice}>
          <label htmlFor={bound}>Most of the time, for</label>
          <Select
            id={bound}
            value={state.bound_by}
            choices={BOUNDS}
            onChange={(event) => set({ bound_by: event.target.value })}
          />
        </div>
      </Group>
      <Group title="Must a request be quick?">
        {field('serial_ms', 'Its undivided part, on a fast core', { unit: 'ms' })}
        <NumberField
          label="Deadline (optional)"
          unit="ms"
          low={0.001}
          optional
          value={state.latency_bound_ms}
          onChange={(latency_bound_ms) => set({ latency_bound_ms })}
          onEmpty={() => set({ latency_bound_ms: null })}
        />
      </Group>
      <Group title="How does it divide?">
        {field('parallel_tasks_count', 'Tasks at once', count)}
        {field('working_set_per_task_gb', 'Memory of a task', { unit: 'GB' })}
        {field('utilization_fraction', 'How busy on average', share)}
      </Group>
      <Group title="Which slow node?">
        {field('slow_core_speed_ratio', 'Core, against a fast one', { high: 1 })}
        {field('slow_node_memory_gb', 'Memory of a node', { unit: 'GB' })}
        {field('slow_slots_count', 'Places for tasks, on all nodes', count)}
        {field('fixed_power_fraction', 'Power that does not follow work', share)}
      </Group>
      <div>
        <Button small icon="reset" onClick={reset}>
          Back to the start
        </Button>
      </div>
    </>
  );
}

interface Range {
  unit?: string;
  low?: number;
  high?: number;
  whole?: boolean;
}

function Reasons({ advice }: { advice: Found }) {
  return (
    <Panel title="Why">
      {advice.reasons.map((reason) => (
        <div key={reason.rule} className={own.reason}>
          <Chip tone={TONES[reason.verdict]}>{VERDICT_WORDS[reason.verdict]}</Chip>
          <p>
            {reason.sentence}
            <br />
            <span className="muted small">{reason.source}</span>
          </p>
        </div>
      ))}
    </Panel>
  );
}

function Losses({ advice, state }: { advice: Found; state: AdviceState }) {
  return (
    <Panel title="When slow nodes lose">
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Rules and limits">
        <table className={styles.ranking}>
          <thead>
            <tr>
              <th scope="col">They lose when</th>
              <th scope="col">Here</th>
              <th scope="col">Limit</th>
              <th scope="col">So</th>
            </tr>
          </thead>
          <tbody>
            {limits(advice, state).map((row) => (
              <tr key={row.rule} data-best={row.broken || undefined}>
                <th scope="row">{row.loses}</th>
                <td>{row.here}</td>
                <td>{row.limit}</td>
                <td>{row.broken ? 'they lose' : 'no objection'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="muted small">
        Rules of thumb: they say where to look, not how much is won. Porting, and software paid by
        the core, are left out.
      </p>
    </Panel>
  );
}

function Next({ advice, study }: { advice: Found; study: string | undefined }) {
  const next = NEXT[advice.next_model];
  if (!next) return null;
  const { tool, text } = next;
  return (
    <div>
      {tool ? (
        <Link to="/tools/$tool" params={{ tool }} search={{ study }}>
          {text}
        </Link>
      ) : (
        <Link to="/models/$modelId" params={{ modelId: advice.next_model }}>
          {text}
        </Link>
      )}
    </div>
  );
}

/** A few questions about a workload, and whether slow nodes suit it, with the rules that say so. */
export function AdviceTool(props: ToolProps) {
  const [state, set, reset] = useToolState(ADVICE_START, props);
  const params = useMemo(() => adviceParams(state), [state]);
  const answer = useQuery(answerQueryOptions<Found>(ADVICE_MODEL, params));
  const advice = answer.data?.result;
  return (
    <>
      <Answer
        text={advice ? adviceSentence(advice) : null}
        more="Slow nodes have many slow cores that draw little; fast nodes few fast ones."
      />
      <Wrong error={answer.error} />
      <Beside inputs={<Inputs state={state} set={set} reset={reset} />}>
        {advice ? (
          <>
            <Reasons advice={advice} />
            <Losses advice={advice} state={state} />
            <Refer of={props} model={ADVICE_MODEL} params={params} />
            <Next advice={advice} study={props.search.study} />
          </>
        ) : (
          <Loading minHeight={480} lines={8} />
        )}
      </Beside>
    </>
  );
}
