import type { Figure, Trace } from './figure';
import { withShares } from './segments';

const bar = (name: string, x: number[], hovertext: string[]): Trace => ({
  type: 'bar',
  orientation: 'h',
  name,
  y: x.map((_, at) => at),
  x,
  hovertext,
});

const figure = (barmode: 'stack' | 'group'): Figure => ({
  title: 'Energy',
  summary: 'Energy.',
  data: [
    bar('Servers', [30, 0], ['A 30 kWh', 'B 0 kWh']),
    bar('Cooling', [10, 5], ['A 10 kWh, 25%', 'B 5 kWh']),
  ],
  layout: { barmode },
  table: { columns: [], rows: [] },
});

describe('segments of stacked bars', () => {
  it('say their share of the bar, once', () => {
    expect(withShares(figure('stack')).map((trace) => trace.hovertext)).toEqual([
      ['A 30 kWh, 75% of the bar', 'B 0 kWh, 0% of the bar'],
      ['A 10 kWh, 25%', 'B 5 kWh, 100% of the bar'],
    ]);
  });

  it('are left as they are where bars stand side by side', () => {
    const grouped = figure('group');
    expect(withShares(grouped)).toBe(grouped.data);
  });
});
