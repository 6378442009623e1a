import { expect, it } from 'vitest';
import type { PriceChanges } from './api/imports';
import { changesSentence } from './price-changes';

const between = (
  new_count: number,
  gone_count: number,
  changed_count: number,
  same_count: number,
) =>
  ({
    new_count,
    gone_count,
    changed_count,
    same_count,
    after: { as_of: '2026-11-01' },
  }) as PriceChanges;

it('says one price and several', () => {
  expect(changesSentence(between(1, 0, 1, 1))).toBe(
    '1 price changed, 1 price is new, 0 prices are gone, 1 price is as it was in the list of ' +
      '1 Nov 2026.',
  );
  expect(changesSentence(between(0, 2, 1200, 3))).toContain('1,200 prices changed');
  expect(changesSentence(between(0, 2, 3, 3))).toContain('3 prices are as they were');
});
