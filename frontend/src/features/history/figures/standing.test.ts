import { standing } from './standing';
import { besideSearch } from '../search';
import { USD } from '../../../lib/format';

const EUR = { code: 'EUR', per_usd: 0.5 };

describe('what stands at one end of a change', () => {
  it.each([
    [null, '', '—'],
    ['', '', '—'],
    [0, 'count', '0'],
    [false, '', 'No'],
    ['2 entries', '', '2 entries'],
    [{ low: 0.25, high: 0.5 }, 'fraction', '25–50%'],
  ] as const)('%j %s', (value, unit, text) => {
    expect(standing(value, unit, USD)).toBe(text);
  });

  it('is money of the study', () => {
    expect(standing(3, 'USD/h', EUR)).toBe('€1.5/h');
    expect(standing({ low: 2, high: 4 }, 'USD', EUR)).toBe('€1–2');
  });
});

it('takes ids of an address, and nothing else', () => {
  const id = '0190a5a2-0000-7000-8000-000000000000';
  expect(besideSearch({ left: id, right: '<b>', x: id })).toEqual({ left: id });
});
