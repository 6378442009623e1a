import { designQueryOptions } from '../src/features/arrays/api/design';
import { FIRST_STATE } from '../src/features/arrays/presets';
import type { ArrayResult } from '../src/features/arrays/result';

test('an array goes to the plan with its carbon factor and what a run found', () => {
  const [entry] = FIRST_STATE.entries;
  if (!entry) throw new Error('The page begins with an array.');
  const found = { throughput_per_s: 70, cache: { hit_fraction: 0.4 } } as ArrayResult;
  const { queryKey } = designQueryOptions(entry.array, FIRST_STATE, found);
  expect(queryKey[2]).toMatchObject({
    carbon: {
      gco2e_per_kwh: 383.55,
      year: 2024,
      zone: 'United States',
      basis: 'life_cycle_average',
    },
    recorded: false,
    throughput_per_s: 70,
    hit_fraction: 0.4,
  });
});
