import { ToldChart } from '../../../components/told/told-figures';
import { ModelTool, type Answered } from '../frame/model-tool';
import type { RowActions } from '../frame/row-tables';
import { ServerPicker } from '../frame/server-picker';
import { text } from '../frame/table';
import type { ToolProps } from '../frame/use-tool-state';
import { NodeRanking } from './node-ranking';
import { withPlaceOf, type NodeMap } from './nodes';

const ACTIONS: RowActions = {
  nodes: (rows, onRows) => (
    <ServerPicker
      taken={new Set(rows.map((row) => text(row, 'name')))}
      onTake={(more) => onRows([...rows, ...more])}
    />
  ),
};

const DIGITS = 4;

/** The map of the cheapest, and the node types at the chosen place. */
function Chosen({ params, result, of, onParams }: Answered<NodeMap>) {
  return (
    <>
      {result.figures.map((figure) => (
        <ToldChart
          key={figure.name}
          name={figure.name}
          figure={figure}
          onPoint={(rate, tb) =>
            onParams(
              withPlaceOf(params, {
                query_rate_per_s: Number(rate.toPrecision(DIGITS)),
                dataset_tb: Number(tb.toPrecision(DIGITS)),
              }),
            )
          }
        />
      ))}
      <NodeRanking studyId={of.search.study} map={result} params={params} onParams={onParams} />
    </>
  );
}

/** Which node type serves a data set at a query rate most cheaply, and where that changes. */
export function NodesTool(props: ToolProps) {
  return (
    <ModelTool<NodeMap>
      of={props}
      model="performance.kv_node_choice"
      evidence={Chosen}
      drawsAll
      rowActions={ACTIONS}
      pointers={['/workload']}
    />
  );
}
