import { describe, expect, it } from 'vitest';
import { labelsOf } from './labels';

const WHOLE = { low: 0, high: 100 };
const found = (places: readonly (readonly [usd: number, value: number])[], narrow = false) => {
  const points = places.map(([usd, value], at) => ({
    usd,
    value,
    letter: 'ABCDEFGH'[at] ?? '',
    title: 'Own servers, declust…',
  }));
  const labels = labelsOf(points, { costs: WHOLE, others: WHOLE, narrow });
  return points.map((point) => {
    const { lines = [], textposition = '' } = labels.get(point) ?? {};
    const said = lines.map(({ of, title }) => (title ? `${of.letter} title` : of.letter));
    return [...said, textposition].join(', ');
  });
};

describe('labels of points', () => {
  it('stand above their points, on the side that has room', () => {
    expect(
      found([
        [5, 50],
        [95, 50],
      ]),
    ).toEqual(['A title, top right', 'B title, top left']);
  });

  it('stand above and below where they would lie over each other', () => {
    expect(
      found([
        [20, 50],
        [21, 52],
      ]),
    ).toEqual(['A title, bottom right', 'B title, top right']);
    expect(
      found([
        [20, 50],
        [21, 60],
      ]),
    ).toEqual(['A title, top right', 'B title, top right']);
  });

  it('stay at their own points where three stand in a row', () => {
    const row = found([
      [95, 42],
      [65, 42],
      [30, 44],
      [10, 10],
    ]);
    for (const [at, said] of row.entries()) expect(said[0]).toBe('ABCD'[at]);
  });

  it('are letters where there is no room for titles, and lines of another where there is none', () => {
    const same = found(Array.from({ length: 8 }, () => [50, 50] as const));
    expect(
      same
        .join(' ')
        .match(/[A-H](?= title|,)/g)
        ?.sort(),
    ).toEqual([...'ABCDEFGH']);
    expect(
      found(
        [
          [50, 50],
          [50, 50],
        ],
        true,
      ),
    ).toEqual(['A, top right', 'B, bottom right']);
  });

  it('cover no mark of another point', () => {
    expect(
      found([
        [20, 50],
        [30, 54],
      ])[0],
    ).toBe('A title, bottom right');
  });
});
