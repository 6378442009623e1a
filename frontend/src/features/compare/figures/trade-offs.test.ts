import { expect, test } from 'vitest';
import { front } from './trade-offs';

test('the front holds what nothing beats in both', () => {
  const points = [
    { usd: 3, value: 1 },
    { usd: 1, value: 5 },
    { usd: 2, value: 6 },
    { usd: 4, value: 1 },
  ];
  expect(front(points)).toEqual([points[1], points[0]]);
});
