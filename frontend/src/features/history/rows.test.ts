import { expect, it } from 'vitest';
import type { Run } from '../../lib/types';
import { pointsOf, rowsOf } from './rows';
import { besideSearch } from './search';

const run = (id: string, first?: string) =>
  ({
    id,
    burst: first ? { runs_count: 3, first: { id: first } } : null,
  }) as Run;
const [alone, burst] = [run('alone'), run('last', 'first')];
const ids = (found: ReturnType<typeof pointsOf>) => [found?.before.id, found?.after.id];

it('shows the earlier runs of an opened burst below its last one', () => {
  const opened = new Map([['last', [burst, run('middle'), run('first')]]]);
  const rows = rowsOf([burst, alone], opened).map((row) => [row.run.id, row.isInner]);
  expect(rows).toEqual([
    ['last', false],
    ['middle', true],
    ['first', true],
    ['alone', false],
  ]);
});

it('tells the last run of a burst from what was before, and a burst alone from its first', () => {
  const both = [burst, alone];
  const rows = rowsOf(both, new Map());
  expect(ids(pointsOf(both, rows, {}))).toEqual(['alone', 'last']);
  expect(ids(pointsOf(both, rows, { before: 'last' }))).toEqual(['first', 'last']);
  expect(ids(pointsOf([burst], rowsOf([burst], new Map()), {}))).toEqual(['first', 'last']);
  expect(pointsOf([alone], rowsOf([alone], new Map()), {})).toBeNull();
});

it('takes ids of an address, and nothing else', () => {
  const id = '0190a5a2-0000-7000-8000-000000000000';
  expect(besideSearch({ left: id, right: '<b>', x: id })).toEqual({ left: id });
});
