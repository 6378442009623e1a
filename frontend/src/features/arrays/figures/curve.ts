import { valueAxis } from '../../../lib/axis';
import type { Figure, Trace } from '../../../lib/figure';
import { quantity } from '../../../lib/format';
import { chartTokens, designLook } from '../../../lib/tokens';
import type { Answered, CurvePoint } from '../result';
import { decades, milliseconds, nameOf, plotText, type ArrayOptions } from './options';

function shown(row: Answered): CurvePoint[] {
  return row.result.curve.filter((point) => point.mean_ms !== null);
}

/** The largest load that an array still answered, of those tried. [1/s] */
export function mostOf(row: Answered): number | null {
  const rates = shown(row).map((point) => point.throughput_per_s);
  return rates.length > 0 ? Math.max(...rates) : null;
}

function line(row: Answered, key: 'mean_ms' | 'p95_ms', { theme }: ArrayOptions): Trace {
  const look = designLook(row.letter, theme);
  const points = shown(row).filter((point) => point[key] !== null);
  const name = plotText(nameOf(row));
  const word = key === 'mean_ms' ? 'mean' : 'p95';
  return {
    type: 'scatter',
    mode: key === 'mean_ms' ? 'lines+markers' : 'lines',
    name: key === 'mean_ms' ? name : `${row.letter}, p95`,
    x: points.map((point) => point.throughput_per_s),
    y: points.map((point) => point[key] ?? 0),
    text: points.map(
      (point) =>
        `${quantity(point.throughput_per_s, '1/s')}: ${word} ${milliseconds(point[key])}, ${quantity(point.power_w, 'W')}`,
    ),
    line: {
      color: look.color,
      width: key === 'mean_ms' ? chartTokens.line_px : 1,
      dash: key === 'mean_ms' ? 'solid' : 'dot',
    },
    marker: { size: 6, symbol: look.marker, color: look.color },
    hovertemplate: `<b>${name}</b><br>%{text}<extra></extra>`,
  };
}

function ends(rows: readonly Answered[], { theme }: ArrayOptions): Trace {
  const last = rows.map((row) => shown(row).at(-1));
  return {
    type: 'scatter',
    mode: 'text',
    name: 'Letters',
    x: last.map((point) => point?.throughput_per_s ?? 0),
    y: last.map((point) => point?.mean_ms ?? 1),
    text: rows.map((row) => `  <b>${row.letter}</b>`),
    textposition: 'middle right',
    textfont: { size: 13, color: rows.map((row) => designLook(row.letter, theme).color) },
    cliponaxis: false,
    hoverinfo: 'skip',
  };
}

/** Mean response against throughput, a curve per array: how much each bears. */
export function responseCurve(all: readonly Answered[], options: ArrayOptions): Figure | null {
  const rows = all.filter((row) => shown(row).length > 0);
  if (rows.length === 0) return null;
  const order = [...rows].sort((a, b) => (mostOf(b) ?? 0) - (mostOf(a) ?? 0));
  const [best] = order;
  const title = `${best?.letter ?? ''} bears most: ${quantity(best && mostOf(best), '1/s')}`;
  const points = rows.flatMap(shown);
  const rates = points.map((point) => point.throughput_per_s);
  const times = points.flatMap((point) => [point.mean_ms ?? 0, point.p95_ms ?? 0]).filter(Boolean);
  const wide = Math.max(...rates) / Math.max(Math.min(...rates), 1e-9) > 200;
  const { range, ...ticks } = decades(Math.min(...times), Math.max(...times), false);
  return {
    title,
    summary: `${title}. ${order.map((row) => `${nameOf(row)}: up to ${quantity(mostOf(row), '1/s')}`).join('; ')}.`,
    data: [
      ...rows.map((row) => line(row, 'p95_ms', options)),
      ...rows.map((row) => line(row, 'mean_ms', options)),
      ends(rows, options),
    ],
    layout: {
      margin: { l: 64, r: 36, t: 8, b: 44 },
      xaxis: {
        title: { text: wide ? 'Requests per second, log scale' : 'Requests per second' },
        ...(wide ? { type: 'log' } : valueAxis('count', { low: 0, high: Math.max(...rates) })),
      },
      yaxis: { title: { text: '' }, type: 'log', range, ...ticks },
    },
    table: {
      columns: [
        { label: 'Array', unit: '' },
        { label: 'Throughput', unit: '1/s' },
        { label: 'Mean response', unit: 'ms' },
        { label: 'p95', unit: 'ms' },
        { label: 'p99', unit: 'ms' },
        { label: 'Power', unit: 'W' },
      ],
      rows: rows.flatMap((row) =>
        shown(row).map((point) => [
          nameOf(row),
          point.throughput_per_s,
          point.mean_ms,
          point.p95_ms,
          point.p99_ms,
          point.power_w,
        ]),
      ),
    },
  };
}
