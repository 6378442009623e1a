import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import type { components } from '../../../api-types/schema';
import { Button, buttonClass } from '../../../components/button';
import { Select } from '../../../components/control';
import { seriesParts } from '../../../components/form/series-field';
import { Fault } from '../../../components/fault';
import { Icon } from '../../../components/icon';
import { JobRow } from '../../../components/job-row';
import { Empty, QueryState } from '../../../components/query-state';
import { TextField } from '../../../components/text-field';
import type { ToldFigure } from '../../../components/told/told';
import { ToldChart } from '../../../components/told/told-figures';
import { api, body } from '../../../lib/api';
import { isEnded, pollInterval } from '../../../lib/job-events';
import { Problem } from '../../../lib/problem';
import { useMayEdit } from '../../../lib/session';
import { studyKey } from '../../../lib/studies';
import type { Page, StudyCard } from '../../../lib/types';
import { asTyped, parseNumber } from '../../../lib/typed-number';
import { typedUnit } from '../../../lib/units';
import { NumberField } from '../frame/number-field';
import styles from '../frame/tools.module.css';
import type { ToolProps } from '../frame/use-tool-state';
import { Answer, Beside } from '../frame/view-frame';

type Input = components['schemas']['SweepInputOfStudy'];
type Sweep = components['schemas']['SweepOutput'];
type Points = components['schemas']['SweepPoints'];

type Sampling = NonNullable<components['schemas']['SweepInputRequest']['sampling']>;

interface Axis extends Pick<Input, 'pointer' | 'low' | 'high'> {
  kind: 'range' | 'list';
  levels_count: number;
  /** Values of a list, as typed. */
  text: string;
}

const EXAMPLE = 'rent-or-own';
const MOST_AXES = 4;
const LEVELS = 20;
const SAMPLES = 1000;
const REFRESH_MS = 3000;

const axisOf = ({ pointer, low, high, value }: Input): Axis => ({
  kind: 'range',
  pointer,
  low,
  high,
  levels_count: LEVELS,
  text: [low, value, high].map((each) => asTyped(String(each))).join('; '),
});

const valuesOf = ({ text }: Axis) =>
  seriesParts(text).flatMap((part) => {
    const value = parseNumber(part);
    return value === null ? [] : [value];
  });

const askedOf = (axis: Axis) => {
  const { kind, pointer, low, high, levels_count } = axis;
  return kind === 'list'
    ? { kind, pointer, values: valuesOf(axis) }
    : { kind, pointer, low, high, levels_count };
};

const inputsQueryOptions = (studyId: string) =>
  queryOptions({
    queryKey: [...studyKey(studyId), 'sweep inputs'],
    queryFn: () =>
      body<components['schemas']['SweepInputs']>(
        api.GET('/api/v1/studies/{study_id}/sweep-inputs', {
          params: { path: { study_id: studyId } },
        }),
      ),
  });

const lastSweepQueryOptions = (study: string) =>
  queryOptions({
    queryKey: ['sweeps', study],
    queryFn: async () => {
      const { results } = await body<{ results: Sweep[] }>(
        api.GET('/api/v1/sweeps', { params: { query: { study, limit: 1 } } }),
      );
      return results[0] ?? null;
    },
    refetchInterval: ({ state }) => (state.data ? pollInterval(state.data) : false),
  });

function AxisFields(props: {
  inputs: readonly Input[];
  axis: Axis;
  sampling: Sampling;
  /** Why the server does not take it. */
  faults: readonly string[];
  onChange: (axis: Axis) => void;
  onRemove?: () => void;
}) {
  const { inputs, axis, sampling, faults, onChange, onRemove } = props;
  const id = useId();
  const chosen = inputs.find(({ pointer }) => pointer === axis.pointer);
  return (
    <fieldset className={styles.axis}>
      <label htmlFor={id}>Input</label>
      <Select
        id={id}
        value={axis.pointer}
        choices={inputs.map(({ pointer, label }) => ({ value: pointer, label }))}
        onChange={(event) => {
          const next = inputs.find(({ pointer }) => pointer === event.target.value);
          const { kind, levels_count } = axis;
          if (next) onChange({ ...axisOf(next), kind, levels_count });
        }}
      />
      <Select
        aria-label="Takes"
        value={axis.kind}
        choices={[
          { value: 'range', label: 'Between two values' },
          { value: 'list', label: 'Values of a list' },
        ]}
        onChange={({ target }) =>
          onChange({ ...axis, kind: target.value === 'list' ? 'list' : 'range' })
        }
      />
      {axis.kind === 'list' ? (
        <TextField
          label={`Values${chosen?.unit ? ` in ${typedUnit(chosen.unit) || chosen.unit}` : ''}`}
          value={axis.text}
          onText={(text) => onChange({ ...axis, text })}
        />
      ) : (
        <>
          <NumberField
            label="From"
            value={axis.low}
            unit={chosen?.unit}
            onChange={(low) => onChange({ ...axis, low })}
          />
          <NumberField
            label="To"
            value={axis.high}
            unit={chosen?.unit}
            onChange={(high) => onChange({ ...axis, high })}
          />
          {sampling === 'grid' && (
            <NumberField
              label="Values"
              value={axis.levels_count}
              low={2}
              whole
              onChange={(levels_count) => onChange({ ...axis, levels_count })}
            />
          )}
        </>
      )}
      {faults.map((message) => (
        <p key={message} className="fault small" role="alert">
          {message}
        </p>
      ))}
      {onRemove && (
        <Button small onClick={onRemove}>
          Remove
        </Button>
      )}
    </fieldset>
  );
}

/** One choice of a column that the chart shows. */
function Shown(props: {
  label: string;
  value: string;
  columns: Points['columns'];
  onChange: (name: string) => void;
}) {
  return (
    <label className={styles.shown}>
      {props.label}
      <Select
        value={props.value}
        choices={props.columns.map(({ name, label }) => ({ value: name, label }))}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </label>
  );
}

function Rows({ sweep, axes }: { sweep: Sweep; axes: readonly string[] }) {
  const [x, setX] = useState(axes[0] ?? '');
  const [y, setY] = useState(axes[1] ?? axes[0] ?? '');
  const [of, setOf] = useState('winner');
  const points = useQuery({
    queryKey: ['sweeps', sweep.id, 'points', x, y, of],
    queryFn: () =>
      body<Points>(
        api.GET('/api/v1/sweeps/{sweep_id}/points', {
          params: { path: { sweep_id: sweep.id }, query: { x, y, of } },
        }),
      ),
    // Rows come in while it runs.
    refetchInterval: isEnded(sweep.state) ? false : REFRESH_MS,
    retry: !isEnded(sweep.state),
    placeholderData: (before) => before,
  });
  const columns = points.data?.columns ?? [];
  return (
    <ToldChart
      name="Rows"
      figure={points.data ? (points.data.figure as unknown as ToldFigure) : null}
      empty={points.error ? 'No row is done yet.' : 'Reading the rows …'}
      controls={
        <div className={styles.showns}>
          <Shown label="Across" value={x} columns={columns} onChange={setX} />
          <Shown label="Up" value={y} columns={columns} onChange={setY} />
          <Shown label="Show" value={of} columns={columns} onChange={setOf} />
        </div>
      }
    />
  );
}

function Last({ sweep, study }: { sweep: Sweep; study: string }) {
  const client = useQueryClient();
  const note = () => void client.invalidateQueries({ queryKey: ['sweeps'] });
  const path = { params: { path: { sweep_id: sweep.id } } };
  const cancel = useMutation({
    mutationFn: () => api.POST('/api/v1/sweeps/{sweep_id}/cancel', path),
    onSettled: note,
  });
  const resume = useMutation({
    mutationFn: () => body<Sweep>(api.POST('/api/v1/sweeps/{sweep_id}/resume', path)),
    onSuccess: (next) => client.setQueryData(lastSweepQueryOptions(study).queryKey, next),
  });
  const detail = useQuery({
    queryKey: ['sweeps', sweep.id, 'asked'],
    queryFn: () =>
      body<components['schemas']['SweepDetail']>(api.GET('/api/v1/sweeps/{sweep_id}', path)),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const asked = (detail.data?.params.axes ?? []) as { pointer: string }[];
  return (
    <>
      {sweep.state !== 'succeeded' && (
        <JobRow
          title={`${sweep.rows_count.toLocaleString()} rows`}
          job={sweep}
          cancelling={cancel.isPending}
          onCancel={() => cancel.mutate()}
        >
          <Button small disabled={resume.isPending} onClick={() => resume.mutate()}>
            Go on with the rest
          </Button>
        </JobRow>
      )}
      <Fault of={resume} small />
      {sweep.state === 'succeeded' && (
        <>
          <Answer text={sweep.headline} waiting="" />
          <div className={styles.bar}>
            <a
              className={buttonClass({ small: true })}
              href={`/api/v1/sweeps/${sweep.id}/rows.parquet`}
              download
            >
              <Icon name="download" size={14} /> All rows, Parquet
            </a>
          </div>
        </>
      )}
      {asked.length > 0 && (
        <Rows key={sweep.id} sweep={sweep} axes={asked.map(({ pointer }) => pointer)} />
      )}
    </>
  );
}

function OfStudy({ study, inputs }: { study: string; inputs: readonly Input[] }) {
  const client = useQueryClient();
  const mayEdit = useMayEdit();
  const [axes, setAxes] = useState(() => inputs.slice(0, 2).map(axisOf));
  const [sampling, setSampling] = useState<Sampling>('grid');
  const [samples, setSamples] = useState(SAMPLES);
  const [simulations, setSimulations] = useState(0);
  const last = useQuery(lastSweepQueryOptions(study));
  const start = useMutation({
    mutationFn: () =>
      body<Sweep>(
        api.POST('/api/v1/sweeps', {
          body: {
            study,
            axes: axes.map(askedOf),
            sampling,
            ...(sampling === 'latin_hypercube' && { sample_count: samples }),
            simulations_count: simulations,
          },
        }),
      ),
    onSuccess: (made) => client.setQueryData(lastSweepQueryOptions(study).queryKey, made),
  });
  // Where nothing was swept yet there is an answer for the inputs that move the study most.
  const begun = useRef(false);
  const begin = start.mutate;
  const isNew = last.data === null && mayEdit && axes.length > 0;
  useEffect(() => {
    if (!isNew || begun.current) return;
    begun.current = true;
    begin();
  }, [isNew, begin]);
  const free = inputs.find(({ pointer }) => axes.every((axis) => axis.pointer !== pointer));
  const levels = (axis: Axis) => (axis.kind === 'list' ? valuesOf(axis).length : axis.levels_count);
  const rows =
    sampling === 'grid' ? axes.reduce((count, axis) => count * levels(axis), 1) : samples;
  const change = (at: number, axis?: Axis) =>
    setAxes(axes.flatMap((one, place) => (place === at ? (axis ? [axis] : []) : [one])));
  const faults = start.error instanceof Problem ? start.error.faults : [];
  const open = last.data != null && !isEnded(last.data.state);
  return (
    <Beside
      inputs={
        <div className="stack gap-16">
          {axes.map((axis, at) => (
            <AxisFields
              key={axis.pointer}
              inputs={inputs}
              axis={axis}
              sampling={sampling}
              faults={faults
                .filter(({ pointer }) => pointer.startsWith(`/axes/${at}/`))
                .map(({ message }) => asTyped(message))}
              onChange={(next) => change(at, next)}
              onRemove={axes.length > 1 ? () => change(at) : undefined}
            />
          ))}
          {axes.length < MOST_AXES && free && (
            <Button small onClick={() => setAxes([...axes, axisOf(free)])}>
              Add an input
            </Button>
          )}
          <Select
            aria-label="Rows"
            value={sampling}
            choices={[
              { value: 'grid', label: 'Every combination' },
              { value: 'latin_hypercube', label: 'A Latin hypercube' },
            ]}
            onChange={({ target }) => setSampling(target.value as Sampling)}
          />
          {sampling === 'latin_hypercube' && (
            <NumberField
              label="Rows"
              value={samples}
              low={2}
              high={100_000}
              whole
              hint="Each input is covered evenly."
              onChange={setSamples}
            />
          )}
          <NumberField
            label="Simulations of each row"
            value={simulations}
            low={0}
            high={10_000}
            whole
            hint="0: every row as entered, without ranges."
            onChange={setSimulations}
          />
          <Button
            look="primary"
            disabled={!mayEdit || start.isPending || open}
            onClick={() => start.mutate()}
          >
            Run {rows.toLocaleString()} rows
          </Button>
          {!faults.some(({ pointer }) => pointer.startsWith('/axes/')) && (
            <Fault of={start} small />
          )}
        </div>
      }
    >
      {last.data ? (
        <Last sweep={last.data} study={study} />
      ) : (
        <Empty minHeight={480}>
          {start.isPending || isNew ? 'Working it out …' : 'Choose inputs and press Run.'}
        </Empty>
      )}
    </Beside>
  );
}

function Of({ study }: { study: string }) {
  const inputs = useQuery(inputsQueryOptions(study));
  return (
    <QueryState query={inputs} minHeight={560}>
      {({ results }) => <OfStudy key={study} study={study} inputs={results} />}
    </QueryState>
  );
}

/** Without a study of one's own: an example that is complete. */
function OfExample() {
  const examples = useQuery({
    queryKey: ['studies', 'examples of tools'],
    queryFn: () =>
      body<Page<StudyCard>>(api.GET('/api/v1/studies', { params: { query: { examples: true } } })),
  });
  return (
    <QueryState query={examples} minHeight={560}>
      {({ results }) => {
        const able = results.filter(({ winner }) => winner);
        const study = able.find(({ slug }) => slug === EXAMPLE) ?? able[0];
        return study ? (
          <>
            <p className="muted">
              The example {study.title}. Choose a study above to sweep its inputs.
            </p>
            <Of study={study.id} />
          </>
        ) : (
          <Empty minHeight={480}>Choose a study above: its inputs are what varies.</Empty>
        );
      }}
    </QueryState>
  );
}

/** Where in the space of a study's inputs which design is cheapest: many comparisons as one job. */
export function SweepTool({ search: { study } }: ToolProps) {
  return study === undefined ? <OfExample /> : <Of study={study} />;
}
