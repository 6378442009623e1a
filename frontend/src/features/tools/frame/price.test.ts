// @vitest-environment jsdom
import { carbonSource, priceOf, type Carbon } from './price';
import type { Study } from '../../../lib/types';

const STUDY = {
  assumptions: {
    pue: 1.5,
    electricity: { kind: 'flat', usd_per_kwh: 0.1 },
    carbon: { gco2e_per_kwh: 400, zone: 'SERC', year: 2021, basis: 'direct_average' },
  },
} as unknown as Study;

describe('the carbon of a study', () => {
  test('says of which place, year and kind the factor is', () => {
    const said = (study: Study) => carbonSource(priceOf(study).carbon as Carbon);
    expect(said(STUDY)).toBe('Carbon: 400 g CO₂e/kWh (SERC 2021, emissions of generation, mean).');
    const bare = { assumptions: { carbon: { gco2e_per_kwh: 12 } } } as unknown as Study;
    expect(said(bare)).toContain('(year and zone not given)');
    expect(priceOf(undefined).carbon).toBeNull();
  });
});
