import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Button } from '../../../components/button';
import { ChartPanel } from '../../../components/chart-panel';
import { Segments } from '../../../components/control';
import { JobRow } from '../../../components/job-row';
import { Empty, Loading } from '../../../components/query-state';
import { answerQueryOptions } from '../../../lib/answers';
import { percent, quantity } from '../../../lib/format';
import { isEnded } from '../../../lib/job-events';
import { useMedia } from '../../../lib/media';
import { useModelRun } from '../../../lib/model-run';
import type { JsonObject } from '../../../lib/pointer';
import { useTheme } from '../../../lib/theme';
import { joulesByPolicy, slowDown } from './policies-figure';
import {
  bestPolicy,
  INSTANT_MODEL,
  policiesMore,
  policiesSentence,
  policyPoints,
  SIMULATED_MODEL,
  TECHNIQUE_MEANS,
  TECHNIQUES,
  type PoliciesAnswer,
} from './memory-policies';
import { ModelForm } from '../frame/model-form';
import { Refer } from '../frame/refer';
import type { ToolProps } from '../frame/use-tool-state';
import { Answer, Beside, Panel, Wrong } from '../frame/view-frame';
import styles from '../frame/tools.module.css';

function Table({ answer }: { answer: PoliciesAnswer }) {
  const best = bestPolicy(answer);
  return (
    <Panel title="Power, delay and both, by policy">
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Policies compared">
        <table className={styles.ranking}>
          <thead>
            <tr>
              <th scope="col">Policy</th>
              <th scope="col">Power</th>
              <th scope="col">Saves</th>
              <th scope="col">Response</th>
              <th scope="col">Run time</th>
              <th scope="col" title="Power times delay squared; less is better">
                P × D²
              </th>
            </tr>
          </thead>
          <tbody>
            {answer.techniques.map((row) => (
              <tr key={row.technique} data-best={row === best || undefined}>
                <th scope="row" title={TECHNIQUE_MEANS[row.technique]}>
                  {TECHNIQUES[row.technique] ?? row.technique}
                </th>
                <td title={row.reason ?? undefined}>{quantity(row.average_w, 'W')}</td>
                <td>{percent(row.saving_fraction)}</td>
                <td>{quantity(row.response_ns, 'ns')}</td>
                <td>{row.runtime_ratio === null ? '—' : `+${percent(row.runtime_ratio - 1)}`}</td>
                <td>{quantity(row.pdd_w, 'W')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function Evidence({ answer, span }: { answer: PoliciesAnswer; span: string }) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const builds = useMemo(() => {
    const points = policyPoints(answer);
    const options = { theme, narrow };
    return {
      joules: () => joulesByPolicy(points, span, options),
      slower: () => slowDown(points, options),
    };
  }, [answer, span, theme, narrow]);
  return (
    <>
      <ChartPanel name="Energy by policy" build={builds.joules} height={340} />
      <ChartPanel name="Slow-down by policy" build={builds.slower} height={300} />
      <Table answer={answer} />
    </>
  );
}

interface PartProps {
  of: ToolProps;
  value: JsonObject;
  onChange: (value: JsonObject) => void;
}

/** Closed forms: an answer to every keystroke. */
function AtOnce({ of, value, onChange }: PartProps) {
  const answer = useQuery(answerQueryOptions<PoliciesAnswer>(INSTANT_MODEL, value));
  const found = answer.data?.result;
  return (
    <>
      <Answer
        text={found ? policiesSentence(found) : null}
        more={found && policiesMore(found)}
        waiting={answer.isError ? 'These inputs have no answer yet.' : undefined}
      />
      <Wrong error={answer.error} />
      <Beside
        inputs={
          <ModelForm model={INSTANT_MODEL} value={value} error={answer.error} onChange={onChange} />
        }
      >
        {found ? (
          <>
            <Evidence answer={found} span="a second" />
            <Refer of={of} model={INSTANT_MODEL} params={value} />
          </>
        ) : (
          !answer.isError && <Loading minHeight={720} lines={10} />
        )}
      </Beside>
    </>
  );
}

/** Access by access, by a run: any traffic, a trace too. */
function Simulated({ of, value, onChange }: PartProps) {
  const run = useModelRun<PoliciesAnswer>(SIMULATED_MODEL, 'ampacity.tools.run.memory');
  const found = run.result;
  return (
    <>
      <Answer
        text={found ? policiesSentence(found) : null}
        more={found ? policiesMore(found) : undefined}
        waiting="Simulate the accesses to see the power and the delay of each policy."
      />
      <div className={styles.bar}>
        <Button look="primary" disabled={run.working} onClick={() => run.start({ params: value })}>
          {run.working ? 'Simulating …' : 'Simulate'}
        </Button>
      </div>
      <Wrong error={run.error} />
      {run.run && (!isEnded(run.run.state) || run.run.state === 'failed') && (
        <JobRow
          title="Simulation"
          job={run.run}
          cancelling={run.cancelling}
          onCancel={run.cancel}
        />
      )}
      <Beside
        inputs={
          <ModelForm model={SIMULATED_MODEL} value={value} error={run.error} onChange={onChange} />
        }
      >
        {found ? (
          <>
            <Evidence answer={found} span="the time simulated" />
            <Refer of={of} model={SIMULATED_MODEL} params={value} />
          </>
        ) : (
          <Empty minHeight={480}>Nothing is simulated yet.</Empty>
        )}
      </Beside>
    </>
  );
}

export type PoliciesMode = 'instant' | 'simulated';

const MODES = [
  { value: 'instant', label: 'At once, by formula' },
  { value: 'simulated', label: 'Simulated, any traffic' },
];

interface PoliciesState {
  mode: PoliciesMode;
  instant: JsonObject;
  simulated: JsonObject;
}

interface MemoryPoliciesProps {
  of: ToolProps;
  state: PoliciesState;
  set: (change: Partial<PoliciesState>) => void;
}

/** When ranks sleep: joules and slow-down of seven policies on the same traffic. */
export function MemoryPolicies({ of, state, set }: MemoryPoliciesProps) {
  return (
    <>
      <div className={styles.views}>
        <Segments
          label="How it is worked out"
          value={state.mode}
          choices={MODES}
          onChange={(mode) => set({ mode: mode as PoliciesMode })}
        />
      </div>
      {state.mode === 'instant' ? (
        <AtOnce of={of} value={state.instant} onChange={(instant) => set({ instant })} />
      ) : (
        <Simulated of={of} value={state.simulated} onChange={(simulated) => set({ simulated })} />
      )}
    </>
  );
}
