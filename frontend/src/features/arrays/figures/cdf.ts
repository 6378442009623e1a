import { withAlpha } from '../../../lib/color';
import type { Figure, Trace } from '../../../lib/figure';
import { percent } from '../../../lib/format';
import { chartTokens, designLook, palette } from '../../../lib/tokens';
import { allResponses, type Answered } from '../result';
import { decades, milliseconds, nameOf, plotText, type ArrayOptions } from './options';

const MARKS = [
  { name: 'p50', fraction: 0.5, key: 'p50_ms' },
  { name: 'p95', fraction: 0.95, key: 'p95_ms' },
  { name: 'p99', fraction: 0.99, key: 'p99_ms' },
] as const;

interface Curve {
  x: number[];
  y: number[];
}

/** The curve of a run: its 200 points, and the tail's percentiles past the last of them. */
export function curveOf({ result }: Answered): Curve | null {
  if (result.cdf_response_ms.length === 0) return null;
  const all = allResponses(result);
  const last = result.cdf_fraction.at(-1) ?? 0;
  const tail = [
    { fraction: 0.999, at: all?.p999_ms ?? null },
    { fraction: 1, at: all?.max_ms ?? null },
  ].filter((point) => point.at !== null && point.fraction > last);
  return {
    x: [...result.cdf_response_ms, ...tail.map((point) => point.at ?? 0)],
    y: [...result.cdf_fraction, ...tail.map((point) => point.fraction)],
  };
}

function line(row: Answered, curve: Curve, options: ArrayOptions): Trace {
  const look = designLook(row.letter, options.theme);
  const name = plotText(nameOf(row));
  return {
    type: 'scatter',
    mode: 'lines',
    name,
    ...curve,
    text: curve.x.map((at, index) => `${percent(curve.y[index])} within ${milliseconds(at)}`),
    line: {
      color: look.color,
      width: chartTokens.line_px,
      dash: (look.dashPx.map((px) => `${px}px`).join(',') || 'solid') as 'solid',
    },
    hovertemplate: `<b>${name}</b><br>%{text}<extra></extra>`,
  };
}

function marks(row: Answered, options: ArrayOptions): Trace {
  const look = designLook(row.letter, options.theme);
  const all = allResponses(row.result);
  const found = MARKS.flatMap(({ name, fraction, key }) => {
    const at = all?.[key];
    return at == null ? [] : [{ name, fraction, at }];
  });
  return {
    type: 'scatter',
    mode: 'markers',
    name: `${row.letter}, percentiles`,
    x: found.map(({ at }) => at),
    y: found.map(({ fraction }) => fraction),
    text: found.map(({ name, at }) => `${row.letter}, ${name}: ${milliseconds(at)}`),
    marker: {
      size: 8,
      symbol: look.marker,
      color: look.color,
      line: { width: 1.5, color: palette[options.theme].background },
    },
    hovertemplate: '%{text}<extra></extra>',
  };
}

/** The array's letter at the middle of its curve, apart from its neighbours' by height. */
function letters(rows: { row: Answered; curve: Curve }[], options: ArrayOptions): Trace {
  const order = [...rows].sort((a, b) => (middle(a.curve) ?? 0) - (middle(b.curve) ?? 0));
  const places = order.map(({ curve }, at) => {
    const wanted = 0.3 + (0.4 * (at + 0.5)) / order.length;
    const index = curve.y.findIndex((fraction) => fraction >= wanted);
    return { x: curve.x[index] ?? 0, y: wanted };
  });
  return {
    type: 'scatter',
    mode: 'text',
    name: 'Letters',
    x: places.map(({ x }) => x),
    y: places.map(({ y }) => y),
    text: order.map(({ row }) => `  <b>${row.letter}</b>`),
    textposition: 'middle right',
    textfont: {
      size: 13,
      color: order.map(({ row }) => designLook(row.letter, options.theme).color),
    },
    hoverinfo: 'skip',
  };
}

function middle(curve: Curve): number | undefined {
  return curve.x[curve.y.findIndex((fraction) => fraction >= 0.5)];
}

function finding(rows: readonly Answered[]): string {
  const known = rows.flatMap((row) => {
    const at = allResponses(row.result)?.p95_ms;
    return at == null ? [] : [{ letter: row.letter, at }];
  });
  if (known.length === 0) return 'No array keeps up with the load';
  const ordered = [...known].sort((a, b) => a.at - b.at);
  const texts = ordered.map(({ letter, at }) => `${letter} within ${milliseconds(at)}`);
  return `95% of requests are answered by ${texts.slice(0, 3).join(', ')}`;
}

/** Distribution of response times: a curve per array, median, p95 and p99 marked. */
export function cdf(rows: readonly Answered[], options: ArrayOptions): Figure | null {
  const curves = rows.flatMap((row) => {
    const curve = curveOf(row);
    return curve ? [{ row, curve }] : [];
  });
  if (curves.length === 0) return null;
  const all = curves.flatMap(({ curve }) => curve.x).filter((at) => at > 0);
  const axis = decades(Math.min(...all), Math.max(...all), options.narrow);
  const title = finding(rows);
  const off = rows.filter((row) => row.result.saturated);
  const words = off.map((row) => `${row.letter}: ${row.result.withheld ?? ''}`);
  const grid = palette[options.theme].grid;
  return {
    title,
    summary: [`${title}.`, ...words].join(' '),
    data: [
      ...curves.map(({ row, curve }) => line(row, curve, options)),
      ...curves.map(({ row }) => marks(row, options)),
      letters(curves, options),
    ],
    layout: {
      margin: { l: 52, r: 20, t: 8, b: 44 },
      xaxis: {
        title: { text: 'Response time, log scale' },
        type: 'log',
        showgrid: true,
        gridcolor: withAlpha(grid, 0.7),
        ...axis,
      },
      yaxis: {
        title: { text: '' },
        range: [0, 1.02],
        tickmode: 'array',
        tickvals: [0, 0.25, 0.5, 0.75, 0.95, 1],
        ticktext: ['0%', '25%', '50%', '75%', '95%', ''],
      },
    },
    table: {
      columns: [
        { label: 'Share of requests', unit: 'fraction' },
        ...rows.map((row) => ({ label: nameOf(row), unit: 'ms' })),
      ],
      rows: [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999].map((fraction) => [
        fraction,
        ...rows.map((row) => at(row, fraction)),
      ]),
    },
  };
}

/** The response within which a share of the requests was answered. [ms] */
export function at(row: Answered, fraction: number): number | null {
  const all = allResponses(row.result);
  const exact: Record<number, number | null | undefined> = {
    0.5: all?.p50_ms,
    0.9: all?.p90_ms,
    0.95: all?.p95_ms,
    0.99: all?.p99_ms,
    0.999: all?.p999_ms,
  };
  if (fraction in exact) return exact[fraction] ?? null;
  const { cdf_fraction: shares, cdf_response_ms: values } = row.result;
  const index = shares.findIndex((share) => share >= fraction);
  const [low, high] = [shares[index - 1], shares[index]];
  const [from, to] = [values[index - 1], values[index]];
  if (high === undefined || to === undefined) return null;
  if (low === undefined || from === undefined) return to;
  return from + ((fraction - low) / (high - low)) * (to - from);
}
