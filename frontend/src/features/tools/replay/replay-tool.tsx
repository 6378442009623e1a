import { useMemo, useState } from 'react';
import { Button } from '../../../components/button';
import { ChartPanel } from '../../../components/chart-panel';
import { JobRow } from '../../../components/job-row';
import { Empty } from '../../../components/query-state';
import { money, percent, quantity, significant } from '../../../lib/format';
import { isEnded } from '../../../lib/job-events';
import { useMedia } from '../../../lib/media';
import { useModelRun } from '../../../lib/model-run';
import { useStudy } from '../frame/use-study';
import { useTheme } from '../../../lib/theme';
import { energyOver, hostsOn, serviceByEnergy } from './replay-figure';
import { replayDesigns } from '../frame/fleet';
import { isDemand } from '../nodes/node-design';
import { PRICED, priceOf, type EnergyPrice } from '../frame/price';
import {
  bestDay,
  DAY_MODEL,
  movedKwh,
  peakOn,
  replayMore,
  replayParams,
  replaySentence,
  REPLAY_START,
  savingOf,
  type Day,
  type Replay as ReplayAnswer,
  type ReplayState,
} from './replay';
import { Refer } from '../frame/refer';
import { useToolState, type ToolProps } from '../frame/use-tool-state';
import { PutInStudy } from '../frame/put-in-study';
import { ReplayInputs, useTraces } from './replay-inputs';
import { Answer, Beside, Panel, Wrong } from '../frame/view-frame';
import styles from '../frame/tools.module.css';

interface EvidenceProps {
  replay: ReplayAnswer;
  chosen: Day | undefined;
  price: EnergyPrice;
  onChoose: (policy: string) => void;
}

function Measures({ replay, chosen, price, onChoose }: EvidenceProps) {
  return (
    <Panel title="Energy and service by policy">
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Policies compared">
        <table className={styles.ranking}>
          <thead>
            <tr>
              <th scope="col">Policy</th>
              <th scope="col">Energy</th>
              <th scope="col">Saved a year</th>
              <th scope="col">Most on</th>
              <th scope="col">Moves</th>
              <th scope="col" title="Servers that were switched on">
                Switched
              </th>
              <th scope="col" title="What copying machines and switching servers draw">
                Moving, switching
              </th>
              <th scope="col" title="Share of host time in which less was given than asked">
                SLATAH
              </th>
              <th scope="col" title="Share of what is asked that moves withhold">
                PDM
              </th>
              <th scope="col" title="SLATAH times PDM">
                SLAV
              </th>
              <th scope="col" title="Energy times SLAV; less is better">
                ESV
              </th>
              <th aria-label="Choose" />
            </tr>
          </thead>
          <tbody>
            {replay.days.map((day) => {
              const saving = savingOf(replay, day, price);
              return (
                <tr key={day.policy} data-best={day === chosen || undefined}>
                  <th scope="row">{day.policy}</th>
                  <td>{quantity(day.energy_kwh, 'kWh')}</td>
                  <td>
                    {saving
                      ? saving.usd === null
                        ? quantity(saving.kwh, 'kWh')
                        : money(saving.usd)
                      : '—'}
                  </td>
                  <td title={peakOn(day) === null ? 'NPA leaves all servers on.' : undefined}>
                    {peakOn(day) ?? replay.hosts_count}
                  </td>
                  <td>{day.migrations_count.toLocaleString('en-GB')}</td>
                  <td>{day.switches_count?.toLocaleString('en-GB') ?? '—'}</td>
                  <td>{quantity(movedKwh(day), 'kWh')}</td>
                  <td>{percent(day.slatah_fraction)}</td>
                  <td>{percent(day.pdm_fraction)}</td>
                  <td>{small(day.slav_fraction)}</td>
                  <td>{small(day.esv_kwh)}</td>
                  <td>
                    <Button
                      small
                      aria-pressed={day === chosen}
                      aria-label={`Speak of ${day.policy}`}
                      onClick={() => onChoose(day.policy)}
                    >
                      {day === chosen ? 'Shown' : 'Show'}
                    </Button>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function small(value: number): string {
  if (value === 0) return '0';
  if (value >= 1e-3) return significant(value);
  const [digits = '', power = ''] = value.toExponential(2).split('e-');
  return `${digits} × 10⁻${Array.from(power, (digit) => RAISED[Number(digit)]).join('')}`;
}

function Evidence(props: EvidenceProps) {
  const { replay, chosen } = props;
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const builds = useMemo(() => {
    const options = { theme, narrow, chosen: chosen?.policy };
    return {
      on: () => hostsOn(replay, options),
      energy: () => energyOver(replay, options),
      service: () => serviceByEnergy(replay, options),
    };
  }, [replay, theme, narrow, chosen]);
  return (
    <>
      <ChartPanel name="Servers on over time" build={builds.on} height={340} />
      <Measures {...props} />
      <div className={styles.two}>
        <ChartPanel name="Energy over time" build={builds.energy} height={300} />
        <ChartPanel
          name="Energy and service"
          build={builds.service}
          height={300}
          empty="Choose two policies or more."
        />
      </div>
    </>
  );
}

/** A day replayed under the published policies: servers on, energy, and what it breaks. */
export function ReplayTool(props: ToolProps) {
  const { study: studyId } = props.search;
  const [state, set, reset] = useToolState(REPLAY_START, props);
  const trace = useTraces().find(({ id }) => id === state.trace_id);
  const study = useStudy(studyId);
  const price = priceOf(study);
  const run = useModelRun<ReplayAnswer, ReplayState>(DAY_MODEL, 'ampacity.tools.run.replay');
  const [wanted, setWanted] = useState<string | null>(null);
  const params = replayParams(state, trace);
  const replay = run.result;
  const chosen = replay
    ? (replay.days.find((day) => day.policy === wanted) ?? bestDay(replay))
    : undefined;
  return (
    <>
      <Answer
        text={replay ? replaySentence(replay, chosen, price) : null}
        more={replay ? replayMore(replay, chosen, price) : undefined}
        waiting="Replay a day to see how many servers it takes."
      />
      <div className={styles.bar}>
        <Button
          look="primary"
          disabled={run.working || params === null}
          onClick={() => params && run.start({ params, context: state })}
        >
          {run.working ? 'Replaying …' : 'Replay'}
        </Button>
        <Button icon="reset" onClick={reset}>
          Back to the example
        </Button>
        {params === null && <span className="muted small">Choose a trace first.</span>}
      </div>
      <Wrong error={run.error} />
      {run.run && (!isEnded(run.run.state) || run.run.state === 'failed') && (
        <JobRow title="Replay" job={run.run} cancelling={run.cancelling} onCancel={run.cancel} />
      )}
      <Beside inputs={<ReplayInputs state={state} set={set} />}>
        {replay ? (
          <>
            <Evidence replay={replay} chosen={chosen} price={price} onChoose={setWanted} />
            <Refer of={props} model={DAY_MODEL} params={params} pointers={PRICED} />
            {study && chosen && (
              <PutInStudy
                key={chosen.policy}
                studyId={studyId}
                label="Put before and after into the study"
                found={replayDesigns(replay, chosen, run.asked ?? state, isDemand(study))}
              />
            )}
          </>
        ) : (
          <Empty minHeight={480}>Nothing is replayed yet.</Empty>
        )}
      </Beside>
    </>
  );
}
