import type { Annotations } from 'plotly.js';
import { inkOn } from '../../../lib/color';
import type { Figure, Trace } from '../../../lib/figure';
import { palette, type Theme } from '../../../lib/tokens';
import { placeText, rate, type NodeMap, type Place } from './nodes';
import { logTicks, plotText, sampled } from '../../../lib/plotting';

interface Options {
  theme: Theme;
  narrow: boolean;
  place: Place;
}

interface Region {
  /** Place in the model's names. */
  at: number;
  name: string;
  color: string;
  cells: number;
}

/** The types that win anywhere, in the order of the map from few queries to many. */
export function regions(map: NodeMap, theme: Theme): Region[] {
  const sums = new Map<number, { cells: number; columns: number }>();
  for (const row of map.map_winners) {
    row.forEach((at, column) => {
      const sum = sums.get(at) ?? { cells: 0, columns: 0 };
      sums.set(at, { cells: sum.cells + 1, columns: sum.columns + column });
    });
  }
  const order = [...sums].sort(([, a], [, b]) => a.columns / a.cells - b.columns / b.cells);
  const colors = sampled(order.length, theme);
  return order.map(([at, { cells }], place) => ({
    at,
    name: map.map_names[at] ?? '',
    color: colors[place] ?? '#888888',
    cells,
  }));
}

/** The cell of a region that is farthest from any other: where its name stands. */
export function middleOf(winners: readonly number[][], at: number): [number, number] | null {
  let best: { cell: [number, number]; room: number } | null = null;
  winners.forEach((row, y) =>
    row.forEach((winner, x) => {
      if (winner !== at) return;
      const room = roomAround(winners, at, x, y);
      if (!best || room > best.room) best = { cell: [x, y], room };
    }),
  );
  return (best as { cell: [number, number] } | null)?.cell ?? null;
}

/** Names are wide, so cells to the sides count twice. */
function roomAround(winners: readonly number[][], at: number, x: number, y: number): number {
  const run = (dx: number, dy: number) => {
    let steps = 0;
    while (winners[y + dy * (steps + 1)]?.[x + dx * (steps + 1)] === at) steps += 1;
    return steps;
  };
  const sides = Math.min(run(1, 0), run(-1, 0));
  const upright = Math.min(run(0, 1), run(0, -1));
  return 2 * Math.min(sides, 3) + 3 * Math.min(upright, 3) + 0.1 * sides;
}

function labels(map: NodeMap, found: Region[], narrow: boolean): Partial<Annotations>[] {
  return found.flatMap(({ at, name, color, cells }) => {
    const cell = middleOf(map.map_winners, at);
    if (!cell || cells < 5) return [];
    const [x, y] = cell;
    return [
      {
        x: Math.log10(map.map_query_rates_per_s[x] ?? 1),
        y: Math.log10(map.map_datasets_tb[y] ?? 1),
        text: `<b>${plotText(name.length > 22 ? `${name.slice(0, 21)}…` : name)}</b>`,
        showarrow: false,
        font: { size: narrow ? 11 : 13, color: inkOn(color) === 'light' ? '#FFFFFF' : '#11161C' },
      },
    ];
  });
}

/** Lines of equal queries per GB, where the cheapest type changes when parts of nodes count. */
function boundaryLines(map: NodeMap, theme: Theme): Trace[] {
  const [low, high] = ends(map.map_query_rates_per_s);
  const [small, large] = ends(map.map_datasets_tb);
  return map.boundaries.flatMap(({ query_rate_per_s_per_gb: rho, below, above }) => {
    const shift = Math.log10(rho) + 3;
    const from = Math.max(small, low - shift);
    const to = Math.min(large, high - shift);
    if (from >= to) return [];
    return [
      {
        type: 'scatter' as const,
        mode: 'lines' as const,
        name: `${below} to ${above}`,
        x: [from + shift, to + shift],
        y: [from, to],
        line: { color: palette[theme].background, width: 2, dash: 'dot' as const },
        hoverinfo: 'skip' as const,
      },
    ];
  });
}

function ends(values: readonly number[]): [number, number] {
  const logs = values.map((value) => Math.log10(value));
  const half = logs.length > 1 ? ((logs[1] ?? 0) - (logs[0] ?? 0)) / 2 : 0.5;
  return [(logs[0] ?? 0) - half, (logs.at(-1) ?? 1) + half];
}

function here(place: Place, theme: Theme): Trace {
  return {
    type: 'scatter',
    mode: 'markers',
    name: 'Chosen',
    x: [Math.log10(place.query_rate_per_s)],
    y: [Math.log10(place.dataset_tb)],
    marker: {
      size: 13,
      symbol: 'circle-open',
      color: palette[theme].background,
      line: { width: 3, color: palette[theme].background },
    },
    hoverinfo: 'skip',
  };
}

/** Which node type costs least, by data set and query rate. */
export function nodeMap(map: NodeMap, { theme, narrow, place: at }: Options): Figure {
  const found = regions(map, theme);
  const place = new Map(found.map((region, index) => [region.at, index]));
  const x = map.map_query_rates_per_s.map((value) => Math.log10(value));
  const y = map.map_datasets_tb.map((value) => Math.log10(value));
  const scale = found.flatMap(({ color }, index): [number, string][] => [
    [index / found.length, color],
    [(index + 1) / found.length, color],
  ]);
  const [left, right] = ends(map.map_query_rates_per_s);
  const [bottom, top] = ends(map.map_datasets_tb);
  const title =
    found.length === 1
      ? `${found[0]?.name ?? ''} costs least everywhere on this map`
      : found.length === map.map_names.length
        ? `Each of the ${found.length} node types costs least somewhere`
        : `${found.length} of ${map.map_names.length} node types cost least somewhere`;
  const hover = map.map_cells.map((row, line) =>
    row.map((cell, column) => {
      const name = map.map_names[map.map_winners[line]?.[column] ?? 0] ?? '';
      const tb = map.map_datasets_tb[line] ?? 0;
      const perS = map.map_query_rates_per_s[column] ?? 0;
      const words = plotText(placeText(cell, name)).split('; ');
      return `<b>${words[0]}</b><br>${words[1] ?? ''}<br>${tbText(tb)}, ${rate(perS)}`;
    }),
  );
  return {
    title,
    summary: `${title}: ${found.map((region) => region.name).join(', ')}, from few queries per GB to many.`,
    data: [
      {
        type: 'heatmap',
        x,
        y,
        z: map.map_winners.map((row) => row.map((at) => (place.get(at) ?? 0) + 0.5)),
        zmin: 0,
        zmax: found.length,
        colorscale: scale,
        showscale: false,
        text: hover as unknown as string[],
        hovertemplate: '%{text}<extra></extra>',
      } as Trace,
      ...boundaryLines(map, theme),
      here(at, theme),
    ],
    layout: {
      margin: { l: narrow ? 56 : 72, r: 12, t: 8, b: 48 },
      xaxis: {
        range: [left, right],
        ...logTicks(left, right, (value) => rate(value).replace(' queries/s', '')),
        title: { text: 'Queries per second (log)' },
      },
      yaxis: {
        range: [bottom, top],
        ...logTicks(bottom, top, tbText),
        showgrid: false,
        title: { text: 'Data set (log)' },
      },
      annotations: labels(map, found, narrow),
    },
    table: {
      columns: [
        { label: 'Data set', unit: 'TB' },
        { label: 'Queries', unit: '1/s' },
        { label: 'Node', unit: '' },
        { label: 'Nodes', unit: 'count' },
        { label: 'Cost a year', unit: 'USD' },
        { label: 'Constraint', unit: '' },
      ],
      rows: map.map_cells.flatMap((row, line) =>
        row.map((cell, column) => [
          map.map_datasets_tb[line] ?? null,
          map.map_query_rates_per_s[column] ?? null,
          map.map_names[map.map_winners[line]?.[column] ?? 0] ?? '',
          cell.nodes_count,
          cell.cost_usd_per_year,
          cell.reason,
        ]),
      ),
    },
  };
}

function tbText(tb: number): string {
  const [value, unit] = tb >= 1000 ? [tb / 1000, 'PB'] : tb >= 1 ? [tb, 'TB'] : [tb * 1000, 'GB'];
  return `${Number(value.toPrecision(3))}\u00a0${unit}`;
}
