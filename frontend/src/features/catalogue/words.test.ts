import type { CatalogueEntry, CatalogueValue } from '../../lib/types';
import { columnsOf, fieldLabel, fullValue, ordered, shortValue } from './words';

const value = (of: number | string | number[], unit: string | null = null) =>
  ({ value: of, unit, quality: 'published' }) as CatalogueValue;

describe('the words of the catalogue', () => {
  it('leaves the unit off a name, but not what is counted', () => {
    expect(fieldLabel('idle_w')).toBe('Idle power');
    expect(fieldLabel('random_read_per_s')).toBe('Random reads');
    expect(fieldLabel('requests_per_s')).toBe('Requests');
    expect(fieldLabel('network_gbit_per_s')).toBe('Network');
    expect(fieldLabel('low_power_idle_up_j')).toBe('Low power idle up');
  });

  it('writes a year of the calendar as one, and a number of years with its unit', () => {
    expect(shortValue(value(2024, 'yr'))).toBe('2024');
    expect(fullValue(value(1999, 'yr'))).toBe('1999');
    expect(fullValue(value(5, 'yr'))).toContain('yr');
  });

  it('lists drives by what they are chosen by, whatever else most of them say', () => {
    const drive = { slug: 'x', title: 'x', kind: 'drive', values: { seek_ms: value(8, 'ms') } };
    expect(columnsOf([drive as unknown as CatalogueEntry]).slice(0, 3)).toEqual([
      'unit_price_usd',
      'capacity_tb',
      'year',
    ]);
  });

  it('writes a provider by its proper name', () => {
    expect(['aws', 'gcp', 'AMD'].map((one) => shortValue(value(one)))).toEqual([
      'AWS',
      'Google Cloud',
      'AMD',
    ]);
    expect(fullValue(value('azure'))).toBe('Azure');
  });

  it('keeps what is not known out of the fields', () => {
    const values = { not_known: value('price: none at hand'), idle_w: value(5, 'W') };
    expect(ordered(values).map(([name]) => name)).toEqual(['idle_w']);
  });
});
