import { valueAxis } from '../../../lib/axis';
import { withAlpha } from '../../../lib/color';
import type { Figure, Trace as Line } from '../../../lib/figure';
import { percent, significant } from '../../../lib/format';
import { chartTokens, designLook } from '../../../lib/tokens';
import type { Charts } from '../charts';
import { shortTime, span } from '../words';
import { decades, timeAxis, type TraceFigureOptions } from './options';

type Rate = NonNullable<Charts['rate']>;

const READ = 'A';
const WRITE = 'B';

function area(
  name: string,
  letter: string,
  y: number[],
  rate: Rate,
  options: TraceFigureOptions,
): Line {
  const { color } = designLook(letter, options.theme);
  return {
    type: 'scatter',
    mode: 'lines',
    name,
    x: y.map((_, at) => (at + 0.5) * rate.step_s),
    y,
    stackgroup: 'one',
    line: { color, width: 1 },
    fillcolor: withAlpha(color, 0.35),
    text: y.map(
      (value, at) => `${span(at * rate.step_s)}: ${significant(value)} ${name.toLowerCase()}/s`,
    ),
    hovertemplate: '%{text}<extra></extra>',
  };
}

/** Requests per second over time, reads and writes stacked. */
export function rateFigure(rate: Rate, options: TraceFigureOptions): Figure {
  const total = rate.reads_per_s.map((reads, at) => reads + (rate.writes_per_s[at] ?? 0));
  const high = Math.max(...total, 1e-9);
  const mean = total.reduce((sum, value) => sum + value, 0) / Math.max(total.length, 1);
  const title = `${significant(mean)} requests/s on average, up to ${significant(high)} over ${span(rate.step_s)}`;
  const label = (name: string, letter: string, y: number) => ({
    x: 1,
    y,
    xref: 'paper' as const,
    yref: 'paper' as const,
    xanchor: 'right' as const,
    yanchor: 'top' as const,
    text: `<b>${name}</b>`,
    showarrow: false,
    font: { size: 12, color: designLook(letter, options.theme).color },
  });
  return {
    title,
    summary: `${title}.`,
    data: [
      area('Reads', READ, rate.reads_per_s, rate, options),
      area('Writes', WRITE, rate.writes_per_s, rate, options),
    ],
    layout: {
      margin: { l: 60, r: 28, t: 8, b: 44 },
      xaxis: timeAxis(total.length * rate.step_s, options.narrow),
      yaxis: {
        ...valueAxis('', { low: 0, high, room: [0, 0.12] }),
        title: { text: 'Requests per second' },
      },
      annotations: [label('Writes', WRITE, 1.02), label('Reads', READ, 0.94)],
    },
    table: {
      columns: [
        { label: 'From', unit: 's' },
        { label: 'Reads', unit: '1/s' },
        { label: 'Writes', unit: '1/s' },
      ],
      rows: total.map((_, at) => [
        at * rate.step_s,
        rate.reads_per_s[at] ?? null,
        rate.writes_per_s[at] ?? null,
      ]),
    },
  };
}

function curve(
  name: string,
  letter: string,
  values: { x: number[]; y: number[] },
  theme: TraceFigureOptions['theme'],
): Line {
  const look = designLook(letter, theme);
  return {
    type: 'scatter',
    mode: 'lines',
    name,
    ...values,
    line: {
      color: look.color,
      width: chartTokens.line_px,
      dash: (look.dashPx.map((px) => `${px}px`).join(',') || 'solid') as 'solid',
    },
    text: values.x.map((at, index) => `${percent(values.y[index])} up to ${shortTime(at)}`),
    hovertemplate: `<b>${name}</b><br>%{text}<extra></extra>`,
  };
}

const SHARES: Partial<Figure['layout']['yaxis']> = {
  range: [0, 1.02],
  tickmode: 'array',
  tickvals: [0, 0.25, 0.5, 0.75, 1],
  ticktext: ['0%', '25%', '50%', '75%', '100%'],
};

/** Where a curve passes a share. */
function passes(x: number[], y: number[], share: number): number {
  return x[y.findIndex((value) => value >= share)] ?? x.at(-1) ?? 0;
}

/** Gaps between requests: how many are that short, and how much time lies in them. */
export function gapsFigure(
  gaps: NonNullable<Charts['gaps']>,
  options: TraceFigureOptions,
): Figure | null {
  if (gaps.upto_s.length === 0) return null;
  const median = passes(gaps.upto_s, gaps.fraction, 0.5);
  const time = passes(gaps.upto_s, gaps.time_fraction, 0.5);
  const title = `Half of the gaps are below ${shortTime(median)}; half of the time lies in gaps above ${shortTime(time)}`;
  const name = (text: string, letter: string, x: number, y: number) => ({
    x: Math.log10(x),
    y,
    text: `<b>${text}</b>`,
    showarrow: false,
    xanchor: 'left' as const,
    yanchor: 'top' as const,
    xshift: 6,
    font: { size: 12, color: designLook(letter, options.theme).color },
  });
  const half = (values: number[]) => passes(gaps.upto_s, values, 0.35);
  return {
    title,
    summary: `${title}.`,
    data: [
      curve('Gaps', READ, { x: gaps.upto_s, y: gaps.fraction }, options.theme),
      curve('Time in gaps', WRITE, { x: gaps.upto_s, y: gaps.time_fraction }, options.theme),
    ],
    layout: {
      margin: { l: 48, r: 20, t: 8, b: 44 },
      xaxis: {
        title: { text: 'Gap up to, log scale' },
        ...decades(
          gaps.upto_s[0] ?? 1e-6,
          gaps.upto_s.at(-1) ?? 1,
          shortTick,
          options.narrow ? 4 : 8,
        ),
      },
      yaxis: SHARES,
      annotations: [
        name('gaps', READ, half(gaps.fraction), 0.35),
        name('time', WRITE, half(gaps.time_fraction), 0.35),
      ],
    },
    table: {
      columns: [
        { label: 'Gap up to', unit: 's' },
        { label: 'Share of the gaps', unit: 'fraction' },
        { label: 'Share of the time', unit: 'fraction' },
      ],
      rows: gaps.upto_s.map((at, index) => [
        at,
        gaps.fraction[index] ?? null,
        gaps.time_fraction[index] ?? null,
      ]),
    },
  };
}

export function shortTick(seconds: number): string {
  if (seconds < 0.9e-3) return `${Number((seconds * 1e6).toPrecision(3))} µs`;
  if (seconds < 0.9) return `${Number((seconds * 1e3).toPrecision(3))} ms`;
  return `${Number(seconds.toPrecision(3)).toLocaleString('en-GB')} s`;
}

/** Response times of the file, as a distribution. */
export function responsesFigure(
  found: NonNullable<Charts['responses']>,
  options: TraceFigureOptions,
): Figure | null {
  if (found.upto_s.length === 0) return null;
  const title = `95% are answered within ${shortTime(passes(found.upto_s, found.fraction, 0.95))}`;
  return {
    title,
    summary: `${title}.`,
    data: [curve('Responses', READ, { x: found.upto_s, y: found.fraction }, options.theme)],
    layout: {
      margin: { l: 48, r: 20, t: 8, b: 44 },
      xaxis: {
        title: { text: 'Response time, log scale' },
        ...decades(
          found.upto_s[0] ?? 1e-6,
          found.upto_s.at(-1) ?? 1,
          shortTick,
          options.narrow ? 4 : 8,
        ),
      },
      yaxis: SHARES,
    },
    table: {
      columns: [
        { label: 'Response up to', unit: 's' },
        { label: 'Share of the requests', unit: 'fraction' },
      ],
      rows: found.upto_s.map((at, index) => [at, found.fraction[index] ?? null]),
    },
  };
}
