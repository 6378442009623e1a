import type { Currency } from './format';
import { fromTyped, parseTyped, readTyped, toTyped, typedIn, typedText } from './units';

describe('what is typed', () => {
  it('may be in another unit than is held: bytes in KiB, a time between events as their rate', () => {
    expect([typedIn('B', 'KiB').shown(8192), typedIn('B', 'KiB').held(8)]).toEqual([8, 8192]);
    expect([typedIn('ms', '1/s').shown(25), typedIn('ms', '1/s').held(40)]).toEqual([40, 25]);
    expect(typedIn('W', undefined).held(3)).toBe(3);
  });

  it.each([
    ['1,234.5', 1234.5],
    ['52.5k', 52_500],
    ['1.5 M', 1_500_000],
    ['−3', -3],
    ['1e3', 1000],
    ['.5', 0.5],
    ['two', null],
    ['1.2.3', null],
    ['', null],
    ['Infinity', null],
    ['NaN', null],
  ])('%s is %s', (text, value) => {
    expect(parseTyped(text)).toBe(value);
  });

  it('holds shares as fractions and shows them in percent, exactly', () => {
    for (const percent of [7, 29, 0.1, 57.3, 100]) {
      expect(toTyped(fromTyped(percent, 'fraction'), 'fraction')).toBe(percent);
    }
    expect(fromTyped(7, 'fraction/yr')).toBe(0.07);
    expect(toTyped(120, 'W')).toBe(120);
  });

  it('shows every digit, thousands apart', () => {
    expect(typedText(1234567.891, 'USD')).toBe('1,234,567.891');
    expect(typedText(-0.07, 'fraction')).toBe('−7');
    expect(typedText(2026, 'calendar year')).toBe('2026');
  });
});

test.each([
  ['2 TiB', 'GiB', 2048],
  ['2,048', 'GiB', 2048],
  ['512GB', 'GiB', 476.837158203],
  ['40 TB', 'TB/month', 40],
  ['1.5 PB', 'TB', 1500],
  ['200', 'TB', 200],
  ['$1.2k', 'USD', 1200],
  ['−$3', 'USD/month', -3],
  ['30%', 'fraction/yr', 0.3],
  ['30', 'fraction/yr', 0.3],
  ['2 TiB', 'W', null],
  ['30%', 'W', null],
  ['much', 'TB', null],
])('%s in a field of %s is %s', (text, unit, value) => {
  expect(readTyped(text, unit)).toBe(value);
});

const [EUR, JPY, CHF]: Currency[] = [
  { code: 'EUR', per_usd: 0.92 },
  { code: 'JPY', per_usd: 150 },
  { code: 'CHF', per_usd: 0.8 },
];

test.each([
  ['€1.2k', EUR, 1200 / 0.92],
  ['1.2k', EUR, 1200 / 0.92],
  ['-1.2k €', EUR, -1200 / 0.92],
  ['eur 920', EUR, 1000],
  ['$1.2k', EUR, 1200],
  ['USD 5', EUR, 5],
  ['¥150000', JPY, 1000],
  ['CHF 1.2k', CHF, 1500],
  ['£3', EUR, null],
  ['€3', undefined, null],
])('%s is an amount in US dollars', (text, currency, value) => {
  expect(readTyped(text, 'USD/month', currency)).toBe(value);
});

test('what was typed in a currency is shown as it was typed', () => {
  for (const currency of [EUR, JPY, CHF]) {
    for (const amount of [1200, 0.07, 9.2, 1_234_567.89]) {
      const held = readTyped(String(amount), 'USD', currency) ?? NaN;
      expect(toTyped(held, 'USD', currency)).toBe(amount);
    }
  }
  expect(typedText(1000, 'USD/kWh', JPY)).toBe('150,000');
  expect(typedText(1000, 'W', JPY)).toBe('1,000');
});
