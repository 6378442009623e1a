import { valueAxis } from '../../../lib/axis';
import type { Figure, Trace as Line } from '../../../lib/figure';
import { percent, quantity } from '../../../lib/format';
import { designLook, palette } from '../../../lib/tokens';
import type { Charts } from '../charts';
import { bytes, type TraceFigureOptions } from './options';

const REQUESTS = 'A';
const DATA = 'E';

/** Requests by size, in powers of two. */
export function sizesFigure(
  sizes: NonNullable<Charts['sizes']>,
  options: TraceFigureOptions,
): Figure {
  const total = sizes.requests_count.reduce((sum, count) => sum + count, 0);
  const data = sizes.bytes.reduce((sum, value) => sum + value, 0);
  const shares = sizes.requests_count.map((count) => count / Math.max(total, 1));
  const dataShares = sizes.bytes.map((value) => value / Math.max(data, 1));
  const labels = sizes.upto_bytes.map((value) => bytes(value));
  const top = shares.indexOf(Math.max(...shares));
  const title = `${percent(shares[top])} of the requests have up to ${labels[top] ?? ''}`;
  const bar = (name: string, letter: string, y: number[]): Line => ({
    type: 'bar',
    name,
    x: labels,
    y,
    marker: { color: designLook(letter, options.theme).color },
    text: y.map((share) => (share >= 0.04 && !options.narrow ? percent(share) : '')),
    textposition: 'outside',
    textfont: { size: 11, color: palette[options.theme].muted },
    cliponaxis: false,
    hovertemplate: `up to %{x}: %{y:.1%} of the ${name.toLowerCase()}<extra></extra>`,
  });
  return {
    title,
    summary: `${title}.`,
    data: [bar('Requests', REQUESTS, shares), bar('Data', DATA, dataShares)],
    layout: {
      margin: { l: 48, r: 16, t: 12, b: 44 },
      barmode: 'group',
      showlegend: true,
      xaxis: {
        title: { text: 'Size of a request, up to' },
        type: 'category',
        tickangle: 0,
        tickmode: 'linear',
        dtick: options.narrow ? 3 : 1,
      },
      yaxis: valueAxis('fraction', { low: 0, high: Math.max(...shares, ...dataShares) }),
    },
    table: {
      columns: [
        { label: 'Up to', unit: 'B' },
        { label: 'Requests', unit: 'count' },
        { label: 'Share of requests', unit: 'fraction' },
        { label: 'Share of the data', unit: 'fraction' },
      ],
      rows: sizes.upto_bytes.map((value, at) => [
        value,
        sizes.requests_count[at] ?? null,
        shares[at] ?? null,
        dataShares[at] ?? null,
      ]),
    },
  };
}

/** Data touched on each day. */
export function footprintFigure(days: number[], options: TraceFigureOptions): Figure {
  const high = Math.max(...days, 1);
  const title =
    days.length === 1
      ? `${quantity(days[0] ?? 0, 'B')} are touched`
      : `A day touches up to ${quantity(high, 'B')}: a cache of that size would hold it`;
  const one = days.length === 1;
  return {
    title,
    summary: `${title}.`,
    data: [
      {
        type: 'bar',
        x: days.map((_, at) => `${at + 1}`),
        y: days,
        width: one ? [0.3] : undefined,
        marker: { color: designLook(REQUESTS, options.theme).color },
        text: days.map((value) => (days.length <= 12 ? quantity(value, 'B') : '')),
        textposition: 'outside',
        textfont: { size: 11, color: palette[options.theme].muted },
        cliponaxis: false,
        hovertemplate: 'day %{x}: %{text}<extra></extra>',
      },
    ],
    layout: {
      margin: { l: 64, r: 16, t: 20, b: 44 },
      xaxis: { title: { text: 'Day' }, type: 'category', ...(one ? { range: [-0.8, 0.8] } : {}) },
      yaxis: valueAxis('B', { low: 0, high, room: [0, 0.1] }),
    },
    table: {
      columns: [
        { label: 'Day', unit: 'count' },
        { label: 'Data touched', unit: 'B' },
      ],
      rows: days.map((value, at) => [at + 1, value]),
    },
  };
}
