import { USD } from './format';
import { valueText } from './labels';

const EUR = { code: 'EUR', per_usd: 0.5 };

describe('what stands at an input', () => {
  it.each([
    [null, '', '—'],
    ['', '', '—'],
    [0, 'count', '0'],
    [0.125, 'fraction', '12.5%'],
    [0.225, 'fraction/yr', '22.5%/yr'],
    [false, '', 'No'],
    ['2 entries', '', '2 entries'],
    [[1], '', '1 entry'],
    [{ kind: 'ssd' }, '', 'a group'],
    [{ low: 0.25, high: 0.5 }, 'fraction', '25–50%'],
  ] as const)('%j %s', (value, unit, text) => {
    expect(valueText(value, unit, USD)).toBe(text);
  });

  it('is money of the study', () => {
    expect(valueText(3, 'USD/h', EUR)).toBe('€1.50/h');
    expect(valueText(0.1019, 'USD/h', { code: 'EUR', per_usd: 0.86 })).toBe('€0.087634/h');
    expect(valueText({ low: 2, high: 4 }, 'USD', EUR)).toBe('€1–2');
  });
});
