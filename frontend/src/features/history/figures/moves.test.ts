import { expect, test } from 'vitest';
import type { ToldFigure } from '../../../components/told/told';
import { dateTime } from '../../../lib/format';
import type { Run } from '../../../lib/types';
import { costOverTime, dated } from './moves';

const yen = { code: 'JPY', per_usd: 150 };
const options = { theme: 'light', narrow: false, currency: yen } as const;
const run = (submitted_at: string, cost_usd: number) =>
  ({ submitted_at, cost_usd, winner: 'A' }) as Run;
const [before, after] = [run('2026-01-01T00:00:00Z', 1000), run('2026-02-01T00:00:00Z', 1300)];

test('the ends of what moved a cost are called by when they were', () => {
  const rows = ['Before', 'Prices', 'After'];
  const steps = { label: 'Step', unit: '', values: rows, said: [] };
  const amounts = { label: 'Amount', unit: 'USD', values: [1000, 300, 1300], said: [] };
  const figure = { rows, twin: [steps, amounts] } as unknown as ToldFigure;
  const named = [dateTime(before.submitted_at), 'Prices', dateTime(after.submitted_at)];
  const found = dated(figure, { before, after });
  expect(found.rows).toEqual(named);
  expect(found.twin.map(({ values }) => values)).toEqual([named, amounts.values]);
});

test('what the cheapest design costs is told in the currency of its study', () => {
  const title = costOverTime([after, before], options)?.title ?? '';
  expect(title.replace(/[\u00a0\u202f]/g, ' ')).toBe(
    'Cost of the cheapest design: ¥195 k, +¥45.0 k in 2 runs',
  );
});

it('names the cheapest design where it changes', () => {
  const runs = ['A', 'A', 'B', 'B', 'A'].map(
    (winner, at) => ({ ...run(`2026-01-0${at + 1}T00:00:00Z`, 1000), winner }) as Run,
  );
  const drawn = costOverTime([...runs].reverse(), options)?.data[0]?.text;
  expect(drawn).toEqual(['A', '', 'B', '', 'A']);
});
