import type { Figure, Trace } from '../../../lib/figure';
import { spread, valueAxis } from '../../../lib/axis';
import { significant } from '../../../lib/format';
import { chartTokens, palette, type Theme } from '../../../lib/tokens';
import {
  best,
  cellValue,
  joules,
  measureText,
  MEASURES,
  PART_NAMES,
  PARTS,
  type JobCells,
  type Measure,
} from './scaling';
import { sampled } from '../frame/figures';

interface Options {
  theme: Theme;
  narrow: boolean;
  measure: Measure;
  /** Cores of one node: the axis shows cores of the cluster. */
  coresPerNode: number;
  lifeS: number;
}

const SYMBOLS = { cpu: 'circle', disk: 'square', network: 'diamond' } as const;

function label(measure: Measure): string {
  return MEASURES.find((entry) => entry.value === measure)?.label ?? '';
}

function axisText(value: number, measure: Measure): string {
  return measure === 'energy_j' ? joules(value).replace(/\.0+(?=\D)/, '') : significant(value, 2);
}

/** A few columns of the grid, evenly from the fewest disks to the most. */
export function columnsShown(count: number, shown = 5): number[] {
  if (count <= shown) return Array.from({ length: count }, (_, at) => at);
  return Array.from({ length: shown }, (_, at) => Math.round((at * (count - 1)) / (shown - 1)));
}

function hover(cells: JobCells, row: number, column: number, options: Options): string {
  const nodes = cells.nodes_count[row] ?? 0;
  const value = cellValue(cells, [row, column], options.measure, options.lifeS);
  const part = cells.bottleneck[row]?.[column] ?? 'cpu';
  return (
    `<b>${measureText(value, options.measure)}</b><br>${nodes} nodes, ` +
    `${nodes * options.coresPerNode} cores, ${cells.disks_count[column]} disks<br>` +
    `waits for ${PART_NAMES[part]}`
  );
}

/** One line for each number of disks over the cores of the cluster; marks say what binds. */
export function scalingCurves(cells: JobCells, options: Options): Figure {
  const { theme, measure, coresPerNode, lifeS } = options;
  const columns = columnsShown(cells.disks_count.length);
  const colors = sampled(columns.length, theme);
  const x = cells.nodes_count.map((nodes) => nodes * coresPerNode);
  const values = columns.map((column) =>
    cells.nodes_count.map((_, row) => cellValue(cells, [row, column], measure, lifeS)),
  );
  const high = Math.max(...values.flat().map((value) => value ?? 0), 0);
  const top = best(cells, measure, lifeS);
  const title = top
    ? `Best at ${cells.nodes_count[top.at[0]]} nodes with ${cells.disks_count[top.at[1]]} disks: ${measureText(top.value, measure)}`
    : 'No cell has a value';
  const axis = valueAxis('ratio', { low: 0, high, room: [0, 0.08] });
  return {
    title,
    summary: `${title}. Lines for ${columns.map((column) => cells.disks_count[column]).join(', ')} disks.`,
    data: [
      ...columns.map((column, line): Trace => ({
        type: 'scatter',
        mode: 'lines+markers',
        name: `${cells.disks_count[column]} disks`,
        x,
        y: values[line] as number[],
        line: { color: colors[line] ?? '', width: chartTokens.line_px },
        marker: {
          size: 7,
          color: colors[line] ?? '',
          symbol: cells.nodes_count.map(
            (_, row) => SYMBOLS[cells.bottleneck[row]?.[column] ?? 'cpu'],
          ),
        },
        hovertext: cells.nodes_count.map((_, row) => hover(cells, row, column, options)),
        hoverinfo: 'text',
      })),
      {
        type: 'scatter',
        mode: 'text',
        name: 'Disks',
        x: columns.map(() => x.at(-1) ?? 0),
        y: spread(
          values.map((line) => line.at(-1) ?? 0),
          high * 0.06,
        ),
        text: columns.map((column) => `  ${cells.disks_count[column]} disks`),
        textposition: 'middle right',
        textfont: { size: 12, color: palette[theme].muted },
        cliponaxis: false,
        hoverinfo: 'skip',
      },
    ],
    layout: {
      margin: { l: 64, r: 76, t: 8, b: 48 },
      xaxis: { title: { text: 'Cores of the cluster' } },
      yaxis: {
        ...axis,
        ticktext: (axis.tickvals ?? []).map((value: number) => axisText(value, measure)),
        title: { text: label(measure) },
      },
    },
    table: gridTable(cells, options),
  };
}

function gridTable(cells: JobCells, { measure, coresPerNode, lifeS }: Options) {
  return {
    columns: [
      { label: 'Nodes', unit: 'count' },
      { label: 'Cores', unit: 'count' },
      { label: 'Disks', unit: 'count' },
      { label: label(measure), unit: '' },
      { label: 'Time', unit: 's' },
      { label: 'Waits for', unit: '' },
    ],
    rows: cells.nodes_count.flatMap((nodes, row) =>
      cells.disks_count.map((disks, column) => [
        nodes,
        nodes * coresPerNode,
        disks,
        cellValue(cells, [row, column], measure, lifeS),
        cells.time_s[row]?.[column] ?? null,
        PART_NAMES[cells.bottleneck[row]?.[column] ?? 'cpu'],
      ]),
    ),
  };
}

/** The grid as a map; lines part the cells that wait for different parts. */
export function scalingMap(cells: JobCells, options: Options): Figure {
  const { theme, measure, coresPerNode, lifeS } = options;
  const z = cells.nodes_count.map((_, row) =>
    cells.disks_count.map((__, column) => cellValue(cells, [row, column], measure, lifeS)),
  );
  const counts = PARTS.map(
    (part) => cells.bottleneck.flat().filter((here) => here === part).length,
  );
  const binding = PARTS.filter((_, at) => (counts[at] ?? 0) > 0).map((part) => PART_NAMES[part]);
  const title =
    binding.length === 1
      ? `Everywhere the job waits for ${binding[0]} longest`
      : `Left of the line the job waits for ${binding.at(-1)} longest, right of it for ${binding[0]}`;
  return {
    title: binding.length > 2 ? `What the job waits for: ${binding.join(', ')}` : title,
    summary: title,
    data: [
      {
        type: 'heatmap',
        x: cells.disks_count,
        y: cells.nodes_count.map((nodes) => nodes * coresPerNode),
        z: z as number[][],
        colorscale: 'Viridis',
        reversescale: measure === 'energy_j' || measure === 'time_s',
        showscale: !options.narrow,
        colorbar: { thickness: 10, outlinewidth: 0, tickfont: { color: palette[theme].muted } },
        text: cells.nodes_count.map((_, row) =>
          cells.disks_count.map((__, column) => hover(cells, row, column, options)),
        ) as unknown as string[],
        hovertemplate: '%{text}<extra></extra>',
      } as Trace,
      {
        type: 'contour',
        x: cells.disks_count,
        y: cells.nodes_count.map((nodes) => nodes * coresPerNode),
        z: cells.bottleneck.map((row) => row.map((part) => PARTS.indexOf(part))),
        autocontour: false,
        contours: { start: 0.5, end: 1.5, size: 1, coloring: 'none' },
        line: { color: '#FFFFFF', width: 2, dash: 'dot' },
        showscale: false,
        hoverinfo: 'skip',
      } as Trace,
    ],
    layout: {
      margin: { l: 64, r: 12, t: 8, b: 48 },
      xaxis: { title: { text: 'Disks of the cluster' } },
      yaxis: { title: { text: 'Cores of the cluster' }, showgrid: false },
    },
    table: gridTable(cells, options),
  };
}
