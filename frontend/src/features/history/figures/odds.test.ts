import type { Run } from '../../../lib/types';
import { oddsOverTime } from './odds';

const run = (day: number, winner: string, odds: Record<string, number> | null) =>
  ({ submitted_at: `2026-11-0${day}T12:00:00Z`, winner, odds }) as unknown as Run;
const options = { theme: 'light', narrow: false } as const;

describe('odds over time', () => {
  it('has a line for each design that ever stood, oldest run first', () => {
    const figure = oddsOverTime(
      [run(3, 'B', { B: 0.6, C: 0.4 }), run(2, 'A', null), run(1, 'A', { A: 0.9, B: 0.1 })],
      options,
    );
    expect(figure?.title).toBe('B is cheapest in 60% of the simulations, in the first run 10%');
    expect(figure?.data.map((line) => [line.name, line.y])).toEqual([
      ['A', [0.9, null]],
      ['B', [0.1, 0.6]],
      ['C', [null, 0.4]],
    ]);
    expect(figure?.table.rows[1]?.slice(1)).toEqual(['B', null, 0.6, 0.4]);
  });

  it('is empty with fewer than two runs that have odds', () => {
    expect(oddsOverTime([run(1, 'A', { A: 1 }), run(2, 'A', null)], options)).toBeNull();
  });
});
