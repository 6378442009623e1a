import { expect, test } from 'vitest';
import { labelGroups, placed } from './labels';

test('labels that would lie over each other are found, the others stay alone', () => {
  const frame = { costs: { low: 0, high: 100 }, others: { low: 0, high: 100 }, narrow: false };
  const found = (usd: number[], value: number[]) =>
    labelGroups(
      usd.map((one, at) => ({ usd: one, value: value[at] ?? 0 })),
      frame,
    ).map((group) => [group.isLeft, ...group.points.map(({ usd: one }) => one)]);
  expect(found([20, 21], [50, 52])).toEqual([[false, 21, 20]]);
  expect(found([20, 21], [50, 60])).toEqual([
    [false, 20],
    [false, 21],
  ]);
  // The label of the one to the right reaches back over that of the other.
  expect(found([55, 65], [50, 50])).toEqual([[true, 55, 65]]);
  expect(found([5, 95], [50, 50])).toHaveLength(2);
  // One that meets both of two that do not meet each other joins them.
  expect(found([20, 20, 20], [50, 60, 55])).toEqual([[false, 20, 20, 20]]);
});

test('two labels stand above and below, more of them in lines', () => {
  const letter = (point: string) => point;
  expect(placed({ points: ['A', 'B'], isLeft: false }, letter)).toEqual([
    ['A', { text: ['A'], textposition: 'top right' }],
    ['B', { text: ['B'], textposition: 'bottom right' }],
  ]);
  const texts = placed({ points: ['A', 'B', 'C'], isLeft: true }, letter).map(([, at]) => at.text);
  expect(texts).toEqual([['A<br>B<br>C'], [''], ['']]);
});
