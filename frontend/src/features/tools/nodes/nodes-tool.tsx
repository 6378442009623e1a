import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { Button } from '../../../components/button';
import { ChartPanel } from '../../../components/chart-panel';
import { Switch } from '../../../components/control';
import { Failed, Loading } from '../../../components/query-state';
import { useMedia } from '../../../lib/media';
import { modelQueryOptions } from '../../../lib/models';
import { useTheme } from '../../../lib/theme';
import { answerQueryOptions } from '../../../lib/answers';
import { nodeMap } from './node-map-figure';
import {
  leftOut,
  NODE_COLUMNS,
  NODE_MODEL,
  NODE_START,
  nodeParams,
  nodeSentence,
  type NodeMap,
  type NodeState,
} from './nodes';
import { text, type Row } from '../frame/table';
import { Refer } from '../frame/refer';
import { useToolState, type ToolProps } from '../frame/use-tool-state';
import { EditTable } from '../frame/edit-table';
import { NodeRanking } from './node-ranking';
import { NumberField } from '../frame/number-field';
import { ServerPicker } from '../frame/server-picker';
import { Answer, Beside, Group, Panel, Wrong } from '../frame/view-frame';

const EXAMPLE = `node,price,power,queries,holds
FAWN+SSD,500,15,35000,32`;

/** The node types of the paper, as the model has them. */
function usePaperNodes() {
  const model = useQuery(modelQueryOptions(NODE_MODEL));
  const nodes = model.data?.params_schema.properties?.nodes?.default;
  return { model, nodes: Array.isArray(nodes) ? (nodes as Row[]) : null };
}

interface InputsProps {
  state: NodeState;
  set: (change: Partial<NodeState>) => void;
  reset: () => void;
}

/** The node types to choose from, wide enough for all their values. */
function NodeTypes({ rows, set }: { rows: readonly Row[]; set: InputsProps['set'] }) {
  return (
    <Panel title="Node types to choose from">
      <EditTable
        label="Node types"
        columns={NODE_COLUMNS}
        rows={rows}
        onRows={(nodes) => set({ nodes })}
        example={EXAMPLE}
        actions={
          <ServerPicker
            taken={new Set(rows.map((row) => text(row, 'name')))}
            onTake={(more) => set({ nodes: [...rows, ...more] })}
          />
        }
      />
      {leftOut(rows).map((reason) => (
        <p key={reason} className="muted small">
          {reason}
        </p>
      ))}
    </Panel>
  );
}

function Inputs({ state, set, reset }: InputsProps) {
  const field = (key: keyof NodeState, label: string, unit = '', low = 0, whole = false) => (
    <NumberField
      label={label}
      unit={unit}
      low={low}
      whole={whole}
      value={state[key] as number}
      onChange={(value) => set({ [key]: value })}
    />
  );
  return (
    <>
      <Group title="Workload">
        {field('dataset_tb', 'Data set', 'TB', 1e-6)}
        {field('query_rate_per_s', 'Queries', '1/s')}
        {field('copies_count', 'Copies', '', 1, true)}
      </Group>
      <Group title="Prices">
        {field('lifetime_years', 'Life', 'yr', 0.1)}
        {field('electricity_usd_per_kwh', 'Electricity', 'USD/kWh')}
        {field('pue', 'PUE', '', 1)}
        <Switch
          label="Count whole nodes"
          checked={state.whole_nodes}
          onChange={(whole_nodes) => set({ whole_nodes })}
        />
      </Group>
      <Group title="Map from and to">
        {field('dataset_low_tb', 'Data set from', 'TB', 1e-6)}
        {field('dataset_high_tb', 'Data set to', 'TB', 1e-6)}
        {field('query_rate_low_per_s', 'Queries from', '1/s', 1)}
        {field('query_rate_high_per_s', 'Queries to', '1/s', 1)}
        <div>
          <Button small icon="reset" onClick={reset}>
            Back to the paper
          </Button>
        </div>
      </Group>
    </>
  );
}

/** Which node type serves a data set at a query rate most cheaply, and where that changes. */
export function NodesTool(props: ToolProps) {
  const { study: studyId } = props.search;
  const [state, set, reset] = useToolState(NODE_START, props);
  const { model, nodes: paper } = usePaperNodes();
  const rows = useMemo(() => state.nodes ?? paper ?? [], [state.nodes, paper]);
  const params = useMemo(() => nodeParams(state, rows), [state, rows]);
  const answer = useQuery(answerQueryOptions<NodeMap>(NODE_MODEL, params));
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const map = answer.data?.result;
  const build = useCallback(
    () => (map ? nodeMap(map, { theme, narrow, state }) : null),
    [map, theme, narrow, state],
  );
  const choose = useCallback(
    (x: number, y: number) =>
      set({
        query_rate_per_s: Number((10 ** x).toPrecision(4)),
        dataset_tb: Number((10 ** y).toPrecision(4)),
      }),
    [set],
  );
  if (model.isError) return <Failed error={model.error} onRetry={() => void model.refetch()} />;
  return (
    <>
      <Answer
        text={map && params ? nodeSentence(map, state) : null}
        more="Press a place on the map, or type a data set and a query rate."
        waiting={params ? undefined : 'Enter at least one node type whose values are all known.'}
      />
      <Wrong error={answer.error} />
      <Beside inputs={<Inputs state={state} set={set} reset={reset} />}>
        {map ? (
          <>
            <ChartPanel
              name="Cheapest node type by data set and query rate"
              build={build}
              height={narrow ? 380 : 480}
              onPoint={choose}
              controls={
                <p className="muted small">
                  Dotted lines: the queries per GB at which the cheapest type changes, counted in
                  parts of nodes.
                </p>
              }
            />
            <NodeRanking studyId={studyId} map={map} state={state} rows={rows} set={set} />
            <NodeTypes rows={rows} set={set} />
            <Refer of={props} model={NODE_MODEL} params={params} pointers={['/workload']} />
          </>
        ) : (
          <>
            <Loading minHeight={560} lines={10} />
            <NodeTypes rows={rows} set={set} />
          </>
        )}
      </Beside>
    </>
  );
}
