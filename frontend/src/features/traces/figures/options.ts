import type { LayoutAxis } from 'plotly.js';
import { quantity } from '../../../lib/format';
import type { Theme } from '../../../lib/tokens';
import { span } from '../words';

export interface TraceFigureOptions {
  theme: Theme;
  narrow: boolean;
}

/** An axis of powers of ten with our own words, for a log scale. */
export function decades(
  low: number,
  high: number,
  word: (value: number) => string,
  most = 7,
): Partial<LayoutAxis> {
  const first = Math.floor(Math.log10(low) + 1e-9);
  const last = Math.ceil(Math.log10(high) - 1e-9);
  const step = Math.max(1, Math.ceil((last - first) / most));
  const tickvals: number[] = [];
  for (let power = first; power <= last; power += step) tickvals.push(10 ** power);
  return {
    type: 'log',
    range: [Math.log10(low) - 0.05, Math.log10(high) + 0.05],
    tickmode: 'array',
    tickvals,
    ticktext: tickvals.map(word),
  };
}

const DAY = 86_400;
const STEPS = [
  0.1,
  0.5,
  1,
  5,
  10,
  30,
  60,
  300,
  600,
  1800,
  3600,
  7200,
  3 * 3600,
  6 * 3600,
  12 * 3600,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
  28 * DAY,
  91 * DAY,
];

/** A time axis in seconds, ticked at steps that a clock has. */
export function timeAxis(seconds: number, narrow: boolean): Partial<LayoutAxis> {
  const wanted = seconds / (narrow ? 3 : 7);
  const step = STEPS.find((value) => value >= wanted) ?? seconds;
  const tickvals: number[] = [];
  for (let at = 0; at <= seconds * 1.001; at += step) tickvals.push(at);
  return {
    title: { text: 'Time from the start' },
    range: [0, seconds],
    tickmode: 'array',
    tickvals,
    ticktext: tickvals.map((at) => (at === 0 ? '0' : span(at))),
  };
}

export const bytes = (value: number) =>
  value >= 1024 && value % 1024 === 0
    ? value % 1_048_576 === 0
      ? `${value / 1_048_576} MiB`
      : `${value / 1024} KiB`
    : quantity(value, 'B');
