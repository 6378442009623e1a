import { useQuery } from '@tanstack/react-query';
import { useId, useMemo } from 'react';
import { Button } from '../../../components/button';
import { ChartPanel } from '../../../components/chart-panel';
import { Segments, TextInput } from '../../../components/control';
import { Failed, Loading } from '../../../components/query-state';
import { useMedia } from '../../../lib/media';
import { modelQueryOptions } from '../../../lib/models';
import { read, type Json, type JsonObject } from '../../../lib/pointer';
import type { JsonSchema } from '../../../lib/schema';
import { useTheme } from '../../../lib/theme';
import { answerQueryOptions } from '../../../lib/answers';
import { phaseTimes, powerParts } from './clusters-figure';
import { scalingCurves, scalingMap } from './scaling-figure';
import {
  JOB_MODEL,
  jobParams,
  MEASURES,
  SCALING_START,
  scalingSentence,
  SETTINGS,
  settingRatio,
  withSetting,
  type Equal,
  type JobAnswer,
  type Measure,
  type ScalingState,
} from './scaling';
import { clusterDesign } from '../frame/fleet';
import { taking } from './take-cluster';
import { Refer } from '../frame/refer';
import { useToolState, type ToolProps } from '../frame/use-tool-state';
import { NumberField } from '../frame/number-field';
import { PutInStudy } from '../frame/put-in-study';
import { Clusters, Implied } from './scaling-clusters';
import { TakeCluster } from './scaling-take';
import { Answer, Beside, Group, Wrong } from '../frame/view-frame';
import styles from '../frame/tools.module.css';

const EQUALS = [
  { value: 'work', label: 'Equal work' },
  { value: 'power', label: 'Equal power' },
  { value: 'cost', label: 'Equal cost' },
  { value: 'time', label: 'Equal time' },
];

const SECONDS_PER_YEAR = 8760 * 3600;

/** The fields of a cluster that a planner changes here: pointer, label, unit, whole. */
const FIELDS = [
  ['nodes_count', 'Nodes', '', true],
  ['cores_per_node_count', 'Cores per node', '', true],
  ['threads_per_node_count', 'Threads per node', '', true],
  ['slots_per_node_count', 'Slots per node', '', true],
  ['core_speed_ratio', 'Speed of a core', '', false],
  ['disks_count', 'Disks', '', true],
  ['disk_mb_per_s', 'Rate of a disk', 'MB/s', false],
  ['packet_mb', 'Packet of a disk', 'MB', false],
  ['reposition_fraction', 'Packets that reposition', 'fraction', false],
  ['ports_count', 'Ports', '', true],
  ['port_mb_per_s', 'Rate of a port', 'MB/s', false],
  ['power/fixed_w', 'Fixed power', 'W', false],
  ['power/node_idle_w', 'Node, idle', 'W', false],
  ['power/node_dynamic_w', 'Node, above idle', 'W', false],
  ['power/disk_idle_w', 'Disk, idle', 'W', false],
  ['power/disk_dynamic_w', 'Disk, above idle', 'W', false],
  ['power/port_w', 'Port', 'W', false],
  ['price/fixed_usd', 'Fixed price', 'USD', false],
  ['price/node_usd', 'Price of a node', 'USD', false],
  ['price/disk_usd', 'Price of a disk', 'USD', false],
] as const;

const JOB_FIELDS = [
  ['/job/data_gb', 'Input', 'GB'],
  ['/job/fixed_s', 'Start and end', 's'],
  ['/job/phases/0/task_cpu_s', 'Map task', 's'],
  ['/job/phases/0/read_gb', 'Read', 'GB'],
  ['/job/phases/1/shuffle_gb', 'Shuffled', 'GB'],
  ['/job/phases/1/write_gb', 'Written', 'GB'],
] as const;

interface InputsProps {
  studyId: string | undefined;
  state: ScalingState;
  params: JsonObject;
  set: (change: Partial<ScalingState>) => void;
  reset: () => void;
}

function Named({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  const id = useId();
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>Name</label>
      <TextInput
        id={id}
        maxLength={120}
        value={name}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

function Inputs({ studyId, state, params, set, reset }: InputsProps) {
  const change = (pointer: string, value: Json) =>
    set({ inputs: { ...state.inputs, [pointer]: value } });
  const field = (pointer: string, label: string, unit: string, whole = false) => {
    const value = read(params, pointer);
    return (
      <NumberField
        key={pointer}
        label={label}
        unit={unit}
        whole={whole}
        low={whole ? 1 : 0}
        value={typeof value === 'number' ? value : null}
        onChange={(next) => change(pointer, next)}
      />
    );
  };
  const clusters = Array.isArray(params.clusters) ? params.clusters : [];
  const nameAt = (at: number) => String(read(params, `/clusters/${at}/name`) ?? '');
  const grid = (key: 'nodes_low' | 'nodes_high' | 'disks_low' | 'disks_high', label: string) => (
    <NumberField
      label={label}
      whole
      low={1}
      value={state[key]}
      onChange={(value) => set({ [key]: value })}
    />
  );
  return (
    <>
      <Group title="Job">
        {JOB_FIELDS.map(([pointer, label, unit]) => field(pointer, label, unit))}
      </Group>
      {clusters.map((_, at) => (
        <details key={at} className={styles.details} open={at === 0}>
          <summary>{nameAt(at)}</summary>
          <div className={styles.taken}>
            <Named name={nameAt(at)} onChange={(name) => change(`/clusters/${at}/name`, name)} />
            <TakeCluster
              studyId={studyId}
              name={nameAt(at)}
              onTake={(found) =>
                set({ inputs: { ...state.inputs, ...taking(found, clusters, at) } })
              }
            />
          </div>
          {FIELDS.map(([key, label, unit, whole]) =>
            field(`/clusters/${at}/${key}`, label, unit, whole),
          )}
          <p className="muted small">Choices with the effect that you measured, 1 without.</p>
          {SETTINGS.map((setting) => {
            const pointer = `/clusters/${at}/settings`;
            const held = read(params, pointer);
            return (
              <NumberField
                key={setting[0]}
                label={setting[2]}
                unit="×"
                low={0.01}
                value={settingRatio(held, setting)}
                onChange={(ratio) => change(pointer, withSetting(held, setting, ratio))}
              />
            );
          })}
        </details>
      ))}
      <Group title="Curves from and to">
        {grid('nodes_low', 'Nodes from')}
        {grid('nodes_high', 'Nodes to')}
        {grid('disks_low', 'Disks from')}
        {grid('disks_high', 'Disks to')}
        <div>
          <Button small icon="reset" onClick={reset}>
            Back to the paper
          </Button>
        </div>
      </Group>
    </>
  );
}

function Evidence({
  answer,
  state,
  set,
  params,
}: Omit<InputsProps, 'reset' | 'studyId'> & { answer: JobAnswer }) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const { clusters, map } = answer;
  const cores = read(params, '/clusters/0/cores_per_node_count');
  const builds = useMemo(() => {
    const options = {
      theme,
      narrow,
      measure: state.measure,
      coresPerNode: typeof cores === 'number' ? cores : 1,
      lifeS: 3 * SECONDS_PER_YEAR,
    };
    return {
      curves: () => map && scalingCurves(map, options),
      map: () => map && scalingMap(map, options),
      power: () => powerParts(clusters, theme),
      phases: () => phaseTimes(clusters, theme),
    };
  }, [theme, narrow, state.measure, cores, map, clusters]);
  return (
    <>
      <ChartPanel
        name={`Scaling of ${clusters[0]?.name ?? 'the first cluster'}`}
        build={builds.curves}
        height={380}
        controls={
          <div className={styles.views}>
            <Segments
              label="Measure"
              value={state.measure}
              choices={MEASURES}
              onChange={(measure) => set({ measure: measure as Measure })}
            />
            <p className="muted small">
              Marks: a circle waits for cores, a square for disks, a diamond for the network.
            </p>
          </div>
        }
      />
      <ChartPanel name="Disks by cores" build={builds.map} height={380} />
      <Clusters answer={answer} />
      <Implied answer={answer} />
      <div className={styles.two}>
        <ChartPanel name="Power by part" build={builds.power} height={220} />
        <ChartPanel name="What each phase waits for" build={builds.phases} height={260} />
      </div>
    </>
  );
}

interface LoadedProps extends ToolProps {
  schema: JsonSchema;
}

function Loaded({ schema, ...props }: LoadedProps) {
  const [state, set, reset] = useToolState(SCALING_START, props);
  const params = useMemo(() => {
    const own = schema.properties ?? {};
    const defaults = {
      job: own.job?.default ?? {},
      clusters: own.clusters?.default ?? [],
      reported: own.reported?.default ?? [],
    };
    return jobParams(defaults, state);
  }, [schema, state]);
  const answer = useQuery(answerQueryOptions<JobAnswer>(JOB_MODEL, params));
  const result = answer.data?.result;
  return (
    <>
      <Answer text={result ? scalingSentence(result, state.equal) : null} />
      <div className={styles.views}>
        <Segments
          label="Clusters compared"
          value={state.equal}
          choices={EQUALS}
          onChange={(equal) => set({ equal: equal as Equal })}
        />
      </div>
      <Wrong error={answer.error} />
      <Beside
        inputs={
          <Inputs
            studyId={props.search.study}
            state={state}
            set={set}
            reset={reset}
            params={params}
          />
        }
      >
        {result ? (
          <>
            <Evidence answer={result} state={state} set={set} params={params} />
            <Refer of={props} model={JOB_MODEL} params={params} />
            <PutInStudy
              studyId={props.search.study}
              label="Put these clusters into the study"
              found={result.clusters.map(clusterDesign)}
            />
          </>
        ) : (
          <Loading minHeight={720} lines={10} />
        )}
      </Beside>
    </>
  );
}

/** A batch job on clusters of many sizes: speed, joules and dollars, and what it waits for. */
export function ScalingTool(props: ToolProps) {
  const model = useQuery(modelQueryOptions(JOB_MODEL));
  if (model.isError) return <Failed error={model.error} onRetry={() => void model.refetch()} />;
  if (!model.data) return <Loading minHeight={720} lines={10} />;
  return <Loaded {...props} schema={model.data.params_schema} />;
}
