import type { LayoutAxis } from 'plotly.js';
import type { Theme } from '../../../lib/tokens';

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
