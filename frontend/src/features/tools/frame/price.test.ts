// @vitest-environment jsdom
import { carbonSource, listed, priceOf, savedBy, savedText } from './price';
import { money } from '../../../lib/format';
import type { Study } from '../../../lib/types';

const STUDY = {
  assumptions: {
    pue: 1.5,
    electricity: { kind: 'flat', usd_per_kwh: 0.1 },
    carbon: { gco2e_per_kwh: 400, zone: 'SERC', year: 2021, basis: 'direct_average' },
  },
} as unknown as Study;

describe('what a saved kilowatt hour is worth', () => {
  test('has the carbon of the study’s region beside its price', () => {
    const price = priceOf(STUDY);
    // 10,000 kWh x 0.4 kg/kWh
    expect(savedBy(10_000, price)).toEqual({ kwh: 10_000, usd: 1000, kgco2e: 4000 });
    expect(savedText(savedBy(10_000, price), money)).toMatch(
      /^10.0\sMWh, \$1.00\sk and 4.00\st\sCO₂e$/,
    );
  });

  test('says of which place, year and kind the factor is', () => {
    expect(carbonSource(priceOf(STUDY))).toBe(
      'Carbon: 400 g CO₂e/kWh (SERC 2021, emissions of generation, mean).',
    );
    const bare = { assumptions: { carbon: { gco2e_per_kwh: 12 } } } as unknown as Study;
    expect(carbonSource(priceOf(bare))).toContain('(year and zone not given)');
  });

  test('is unknown where the study has no factor, and then says so', () => {
    const price = priceOf(undefined);
    expect(savedBy(1, price)).toEqual({ kwh: 1, usd: null, kgco2e: null });
    expect(savedText(savedBy(1, price), money)).toMatch(/^1\skWh$|^1.00\skWh$/);
    expect(carbonSource(price)).toContain('no carbon intensity');
  });
});

test('parts of a sentence are joined as spoken', () => {
  expect(listed(['a'])).toBe('a');
  expect(listed(['a', 'b'])).toBe('a and b');
  expect(listed(['a', 'b', 'c'])).toBe('a, b and c');
});
