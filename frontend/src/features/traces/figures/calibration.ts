import { valueAxis } from '../../../lib/axis';
import type { Figure, Trace } from '../../../lib/figure';
import { percent, quantity } from '../../../lib/format';
import { chartTokens, designLook, palette } from '../../../lib/tokens';
import type { CalibrationAnswer, DepthFit, RecordedAnswer } from '../calibration';
import { decades, type TraceFigureOptions } from './options';

const ms = (value: number) => quantity(value / 1000, 's');
const NAMES = { read: 'Reads', write: 'Writes' } as const;

function measured(rows: DepthFit[], letter: string, { theme }: TraceFigureOptions): Trace {
  const look = designLook(letter, theme);
  return {
    type: 'scatter',
    mode: 'markers',
    name: `${NAMES[rows[0]?.way ?? 'read']}, measured`,
    x: rows.map((row) => row.depth_count),
    y: rows.map((row) => row.measured_ms),
    marker: { size: 9, color: look.color, symbol: look.marker },
    hovertext: rows.map((row) => `depth ${row.depth_count}: ${ms(row.measured_ms)}`),
    hoverinfo: 'text',
    cliponaxis: false,
  };
}

function modelled(rows: DepthFit[], letter: string, { theme }: TraceFigureOptions): Trace {
  const look = designLook(letter, theme);
  const known = rows.filter((row) => row.modelled_ms !== null);
  return {
    type: 'scatter',
    mode: known.length > 1 ? 'lines' : 'text+markers',
    name: `${NAMES[rows[0]?.way ?? 'read']}, modelled`,
    x: known.map((row) => row.depth_count),
    y: known.map((row) => row.modelled_ms ?? 0),
    line: { color: look.color, width: chartTokens.line_px },
    marker: { size: 13, symbol: 'circle-open', color: look.color },
    text: known.map(() => 'modelled'),
    textposition: 'top right',
    textfont: { size: 12, color: palette[theme].text },
    hovertext: known.map(
      (row) =>
        `depth ${row.depth_count}: ${ms(row.modelled_ms ?? 0)} (${percent(row.error_fraction)})`,
    ),
    hoverinfo: 'text',
    cliponaxis: false,
  };
}

/** Mean latency by queue depth, measured and as the fitted drive has it. */
export function depthsFigure({ depths }: CalibrationAnswer, options: TraceFigureOptions): Figure {
  const ways = (['read', 'write'] as const)
    .map((way) => depths.filter((row) => row.way === way))
    .filter((rows) => rows.length > 0);
  const worst = Math.max(...depths.map(({ error_fraction: error }) => Math.abs(error ?? 0)));
  const title = `The model is within ${percent(worst)} of every mean latency it gives`;
  const times = depths.flatMap((row) => [row.measured_ms, row.modelled_ms ?? row.measured_ms]);
  const deepest = Math.max(...depths.map((row) => row.depth_count), 2);
  return {
    title,
    summary: `${title}. ${depths
      .map((row) => `${NAMES[row.way]} at depth ${row.depth_count}: ${ms(row.measured_ms)}`)
      .join('; ')}.`,
    data: ways.flatMap((rows, at) => {
      const letter = at === 0 ? 'A' : 'B';
      return [modelled(rows, letter, options), measured(rows, letter, options)];
    }),
    layout: {
      margin: { l: 64, r: 16, t: 12, b: 44 },
      showlegend: true,
      xaxis: { title: { text: 'Queue depth, log scale' }, ...decades(1, deepest, String) },
      yaxis: {
        title: { text: 'Mean latency, log scale' },
        ...decades(Math.min(...times), Math.max(...times), ms),
      },
    },
    table: {
      columns: [
        { label: 'Direction', unit: '' },
        { label: 'Queue depth', unit: 'count' },
        { label: 'Measured', unit: 'ms' },
        { label: 'Modelled', unit: 'ms' },
        { label: 'Error', unit: 'fraction' },
        { label: 'Measured', unit: '1/s' },
      ],
      rows: depths.map((row) => [
        NAMES[row.way],
        row.depth_count,
        row.measured_ms,
        row.modelled_ms,
        row.error_fraction,
        row.measured_per_s,
      ]),
    },
  };
}

/** Share of requests served within a time, measured and as the fitted drive has it. */
export function timesFigure(answer: RecordedAnswer, { theme }: TraceFigureOptions): Figure {
  const { quantiles } = answer;
  const title = `Half are served within ${ms(quantiles[49]?.measured_ms ?? 0)}; the model says ${quantity(
    quantiles[49]?.modelled_ms ?? 0,
    'ms',
  )}`;
  const all = quantiles
    .flatMap((row) => [row.measured_ms, row.modelled_ms])
    .filter((value) => value > 0);
  const shares = quantiles.map((row) => row.percent_ratio / 100);
  const line = (
    name: string,
    key: 'measured_ms' | 'modelled_ms',
    letter: string,
    dash: 'solid' | 'dash',
  ): Trace => ({
    type: 'scatter',
    mode: 'lines',
    name,
    x: quantiles.map((row) => row[key]),
    y: shares,
    line: { color: designLook(letter, theme).color, width: chartTokens.line_px, dash },
    hovertemplate: `${name}: %{y:.0%} within %{x:.3g} ms<extra></extra>`,
  });
  return {
    title,
    summary: `${title}. Demerit ${percent(answer.demerit_fraction)}.`,
    data: [
      line('Measured', 'measured_ms', 'A', 'solid'),
      line('Modelled', 'modelled_ms', 'B', 'dash'),
    ],
    layout: {
      margin: { l: 56, r: 16, t: 24, b: 44 },
      showlegend: true,
      xaxis: {
        title: { text: 'Service time, log scale' },
        ...decades(Math.min(...all), Math.max(...all), ms),
      },
      yaxis: {
        ...valueAxis('fraction', { low: 0, high: 1, room: [0, 0.02] }),
        title: { text: 'Requests served' },
      },
    },
    table: {
      columns: [
        { label: 'Percentile', unit: '' },
        { label: 'Measured', unit: 'ms' },
        { label: 'Modelled', unit: 'ms' },
      ],
      rows: quantiles.map((row) => [row.percent_ratio, row.measured_ms, row.modelled_ms]),
    },
  };
}
