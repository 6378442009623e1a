import type { JsonSchema } from '../../lib/schema';
import { isMistyped, type Beginning } from './work';

const begin: Beginning = {
  workload: { kind: 'demand' },
  origins: {},
  typed: {},
  chosen: {},
  horizon_months: 36,
  place: { region: '', currency: 'USD' },
};

it('a value below zero is to be corrected before anything is asked', () => {
  const growth = '/workload/growth/cores_fraction_per_year';
  const plan: JsonSchema = {};
  const typed = (text: string) => ({
    ...begin,
    typed: { [growth]: text, '/assumptions/pue': text },
  });
  expect(isMistyped(begin, plan)).toBe(false);
  expect(isMistyped(typed('12'), plan)).toBe(false);
  expect(isMistyped(typed('-5'), plan)).toBe(true);
});
