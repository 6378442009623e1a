import { useCallback } from 'react';
import { ChartPanel } from '../../../components/chart-panel';
import { useMedia } from '../../../lib/media';
import { useTheme } from '../../../lib/theme';
import { ModelTool, type Answered } from '../frame/model-tool';
import type { RowActions } from '../frame/row-tables';
import { ServerPicker } from '../frame/server-picker';
import { text, type Row } from '../frame/table';
import type { ToolProps } from '../frame/use-tool-state';
import { nodeMap } from './node-map-figure';
import { NodeRanking } from './node-ranking';
import { placeOf, withPlaceOf, type NodeMap, type Place } from './nodes';

const ACTIONS: RowActions = {
  nodes: (rows, onRows) => (
    <ServerPicker
      taken={new Set(rows.map((row) => text(row, 'name')))}
      onTake={(more) => onRows([...rows, ...more])}
    />
  ),
};

/** The map of the cheapest, and the node types at the chosen place. */
function Chosen({ params, result, of, onParams }: Answered<NodeMap>) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const build = useCallback(
    () => nodeMap(result, { theme, narrow, place: placeOf(params) }),
    [result, theme, narrow, params],
  );
  const choose = (place: Partial<Place>) => onParams(withPlaceOf(params, place));
  return (
    <>
      <ChartPanel
        name="Cheapest node type by data set and query rate"
        build={build}
        height={narrow ? 380 : 480}
        onPoint={(x, y) =>
          choose({
            query_rate_per_s: Number((10 ** x).toPrecision(4)),
            dataset_tb: Number((10 ** y).toPrecision(4)),
          })
        }
        controls={
          <p className="muted small">
            Dotted lines: the queries per GB at which the cheapest type changes, counted in parts of
            nodes.
          </p>
        }
      />
      <NodeRanking
        studyId={of.search.study}
        map={result}
        state={placeOf(params)}
        rows={Array.isArray(params.nodes) ? (params.nodes as Row[]) : []}
        set={choose}
      />
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
      rowActions={ACTIONS}
      pointers={['/workload']}
    />
  );
}
