import { expect, test } from 'vitest';
import type { Run, RunCauses } from '../../../lib/types';
import { costOverTime, moves, movesName, moveSentence } from './moves';

const yen = { code: 'JPY', per_usd: 150 };
const options = { theme: 'light', narrow: false, currency: yen } as const;
const run = (submitted_at: string, cost_usd: number) =>
  ({ submitted_at, cost_usd, winner: 'A' }) as Run;
const found = {
  before_usd: 1000,
  after_usd: 1300,
  causes: [
    { cause: 'prices', label: 'Prices', amount_usd: 400 },
    { cause: 'growth', label: 'Growth', amount_usd: -100 },
  ],
} as unknown as RunCauses;

test('what moved a cost is told in the currency of its study', () => {
  const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');
  expect(plain(moveSentence(found, yen))).toBe('Of +¥45.0 k: prices +¥60.0 k, growth −¥15.0 k');
  const [before, after] = [run('2026-01-01T00:00:00Z', 1000), run('2026-02-01T00:00:00Z', 1300)];
  const steps = moves(found, before, after, options).data[0]?.text;
  expect((steps as string[]).map(plain)).toEqual(['¥150,000', '+¥60,000', '−¥15,000', '¥195,000']);
  const title = costOverTime([after, before], options)?.title ?? '';
  expect(plain(title)).toBe('Cost of the cheapest design: ¥195 k, +¥45.0 k in 2 runs');
});

test('what the cost is that moved is said as the verdict has it', () => {
  const mean = { measure: 'Present value over 3 years, mean', simulations_count: 10_000 };
  expect(movesName({ ...found, ...mean })).toBe(
    'Why the cost moved: present value over 3 years, mean of 10,000 simulations',
  );
  const entered = { measure: 'Cost over 3 years', simulations_count: 0 };
  expect(movesName({ ...found, ...entered })).toBe(
    'Why the cost moved: cost over 3 years, as entered',
  );
});

it('says that the cost did not move where every cause moved it by nothing', () => {
  const still = {
    ...found,
    after_usd: 1000.00001,
    causes: [{ ...found.causes[0], amount_usd: 0 }],
  };
  expect(moveSentence(still as RunCauses, yen)).toBe('The cost did not move');
  const apart = [{ amount_usd: 5 }, { amount_usd: -5 }].map((one) => ({
    ...found.causes[0],
    ...one,
  }));
  expect(moveSentence({ ...still, causes: apart } as RunCauses, yen)).toContain('prices');
});

it('names the cheapest design where it changes', () => {
  const runs = ['A', 'A', 'B', 'B', 'A'].map(
    (winner, at) => ({ ...run(`2026-01-0${at + 1}T00:00:00Z`, 1000), winner }) as Run,
  );
  const drawn = costOverTime([...runs].reverse(), options)?.data[0]?.text;
  expect(drawn).toEqual(['A', '', 'B', '', 'A']);
});
