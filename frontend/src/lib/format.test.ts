import examples from '../../../backend/reports/tests/fixtures/numbers.json';
import {
  counted,
  date,
  entered,
  exact,
  money,
  moneyChange,
  movedText,
  months,
  percent,
  quantity,
  range,
  significant,
  spanText,
  USD,
} from './format';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('numbers on the screen', () => {
  it.each(examples)('writes $value $unit as the report does', ({ value, unit, text }) => {
    expect(plain(quantity(value, unit))).toBe(text);
  });

  it.each([
    [1_230_000, '$1.23 M'],
    [374_000, '$374 k'],
    [52_500, '$52.5 k'],
    [-51_000, '−$51.0 k'],
    [999_600, '$1.00 M'],
    [999.6, '$1.00 k'],
    [950, '$950'],
    [12.3, '$12.30'],
    [0.17, '$0.17'],
    [0.1301, '$0.13'],
    [0.00511, '$0.00511'],
    [0, '$0'],
    [4.56e9, '$4.56 B'],
  ])('writes %d dollars as %s', (usd, text) => {
    expect(plain(money(usd))).toBe(text);
  });

  it('shows another currency at the rate of the study', () => {
    expect(plain(money(1_000_000, { code: 'EUR', per_usd: 0.9 }))).toBe('€900 k');
    expect(plain(money(1_000_000, { code: 'CHF', per_usd: 0.9 }))).toBe('CHF 900 k');
  });

  it.each([
    [0.17, 'USD/kWh', '$0.17/kWh'],
    [18_000, 'W', '18.0 kW'],
    [158_000, 'kWh', '158 MWh'],
    [611_000, 'kWh', '611 MWh'],
    [19, 'months', '19 months'],
    [1, 'months', '1 month'],
    [0.0063, 's', '6.30 ms'],
    [11.5e9, 'B/s', '11.5 GB/s'],
    [48, 'TB', '48.0 TB'],
    [0.11, 'fraction', '11%'],
    [0.017, 'fraction', '1.7%'],
    [0.2, 'fraction/yr', '20%/yr'],
    [260_000, 'kgCO2e', '260 t CO₂e'],
    [1536, 'count', '1,536'],
    [2, 'FTE', '2.00 FTE'],
    [12, 'nodes', '12 nodes'],
    [1.4, 'ratio', '1.40'],
  ])('writes %d %s as %s', (value, unit, text) => {
    expect(plain(quantity(value, unit))).toBe(text);
  });

  it('shows an em dash for what is not known, never zero', () => {
    expect([money(null), quantity(undefined, 'W'), percent(Number.NaN)]).toEqual(['—', '—', '—']);
  });

  it('keeps three significant digits through a carry', () => {
    expect([significant(9.996), significant(0.09996), significant(0.00123)]).toEqual([
      '10.0',
      '0.100',
      '0.00123',
    ]);
  });

  it('rounds a half as it is written upwards, in any currency', () => {
    const euro = { code: 'EUR', per_usd: 0.93 };
    expect([money(1075), money(1075 / 0.93, euro), percent(0.285)].map(plain)).toEqual([
      '$1.08 k',
      '€1.08 k',
      '29%',
    ]);
  });

  it('says months below three years and years above', () => {
    expect([28.6, 36, 40].map((count) => plain(months(count)))).toEqual([
      '28.6 months',
      '36 months',
      '3.3 years',
    ]);
  });

  it('joins the ends of a range under one unit', () => {
    expect(plain(range(2_810_000, 3_140_000, 'USD'))).toBe('$2.81–3.14 M');
    expect(plain(range(17, 23, 'months'))).toBe('17–23 months');
    expect(plain(range(-1000, 23_000, 'USD'))).toBe('−$1.00 k to $23.0 k');
    expect(plain(range(0.4, 0.6, 'fraction'))).toBe('40–60%');
  });

  it('says what an amount moves by: nothing is no change, null is not known', () => {
    expect([movedText(null, USD), movedText(0, USD), plain(movedText(12_000, USD))]).toEqual([
      'change not known',
      'no change',
      '+$12.0 k',
    ]);
  });

  it('writes dates, changes and full values', () => {
    expect(date('2026-11-20')).toBe('20 Nov 2026');
    expect(date('2025-09-01')).toBe('1 Sep 2025');
    expect(plain(moneyChange(12_000, USD))).toBe('+$12.0 k');
    expect(plain(exact(1234567.891, 'USD'))).toBe('$1,234,567.891');
    expect(plain(exact(0.1301, 'USD/kWh'))).toBe('$0.1301/kWh');
    expect(plain(exact(200.5, 'USD/yr', { code: 'EUR', per_usd: 0.5 }))).toBe('€100.25/yr');
    expect(plain(exact(0.0000125))).toBe('0.0000125');
    expect(plain(exact(2.5e-16))).toBe('2.5 × 10⁻¹⁶');
  });

  it.each(['Asia/Tokyo', 'America/Los_Angeles'])(
    'writes the clock of the day that it writes, also in %s',
    async (zone) => {
      const Here = Intl.DateTimeFormat;
      const There = class extends Here {
        constructor(locale?: string, options?: Intl.DateTimeFormatOptions) {
          super(locale, { timeZone: zone, ...options });
        }
      };
      vi.stubGlobal('Intl', { NumberFormat: Intl.NumberFormat, DateTimeFormat: There });
      vi.resetModules();
      const there = await import('./format');
      expect(plain(there.dateTime('2026-11-20T23:30:00Z'))).toBe('20 Nov 2026, 23:30 UTC');
      expect(plain(there.dateTime('2026-11-20T00:30:00+01:00'))).toBe('19 Nov 2026, 23:30 UTC');
      expect(there.dateTime('soon')).toBe('—');
      expect(there.quantity(Date.UTC(2026, 10, 20, 0, 30), 'instant')).toBe('20 Nov 2026, 00:30');
      vi.unstubAllGlobals();
    },
  );

  it.each([
    [90, '90.0 s'],
    [600, '10.0 minutes'],
    [18_720, '5.20 hours'],
    [17_900_052, '207 days'],
  ])('writes a time of %d s as %s', (seconds, text) => {
    expect(plain(spanText(seconds))).toBe(text);
  });
});

test('things are counted, one of them in the singular, and a date is no length of time', () => {
  expect([1, 2, 1200].map((count) => counted(count, 'server'))).toEqual([
    '1 server',
    '2 servers',
    '1,200 servers',
  ]);
  expect([quantity(2026, 'calendar year'), exact(2026, 'calendar year')]).toEqual(['2026', '2026']);
});

test.each([
  [0.225, 'fraction/yr', '22.5%/yr'],
  [0.2, 'fraction', '20%'],
  [1 / 3, 'fraction', '33.3333%'],
  [0.00125, 'fraction', '0.125%'],
  [18.5, 'months', '18.5 months'],
  [1, 'months', '1 month'],
  [40, 'months', '40 months'],
  [1234.5, 'W', '1,234.5 W'],
  [18_000, 'W', '18.0 kW'],
  [0.1301, 'USD/kWh', '$0.1301/kWh'],
  [1_234_567.89, 'USD', '$1,234,567.89'],
  [90_000, 'USD/FTE-yr', '$90.0 k/FTE-yr'],
  [0, 'fraction/yr', '0%/yr'],
  [2026, 'calendar year', '2026'],
])('an input of %d %s is written as it was entered: %s', (value, unit, text) => {
  expect(plain(entered(value, unit))).toBe(text);
});

test('an input is as it was entered in the currency of the study, and so are the ends of a range', () => {
  const euro = { code: 'EUR', per_usd: 0.92 };
  expect(entered(0.21 / 0.92, 'USD/kWh', euro)).toBe('€0.21/kWh');
  expect(plain(entered(95_500 / 0.92, 'USD/FTE-yr', euro))).toBe('€95.5 k/FTE-yr');
  expect(plain(entered(95_512 / 0.92, 'USD/FTE-yr', euro))).toBe('€95,512/FTE-yr');
  expect(entered(2.22176, 'USD/h', { code: 'EUR', per_usd: 0.86 })).toBe('€1.91071/h');
  expect(range(0.125, 0.325, 'fraction/yr', euro, entered)).toBe('12.5–32.5%/yr');
  expect(plain(range(0.21 / 0.92, 0.3 / 0.92, 'USD/kWh', euro, entered))).toBe('€0.21–0.30/kWh');
});

test.each(['fraction', 'fraction/yr'])('every digit of a share in %s is in percent', (unit) => {
  expect(exact(0.0625, unit)).toBe(`6.25%${unit.slice('fraction'.length)}`);
});
