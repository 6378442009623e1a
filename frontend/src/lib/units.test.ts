import type { Currency } from './format';
import {
  echoOf,
  fromTyped,
  otherCurrency,
  readTyped,
  refusalOf,
  toTyped,
  typedIn,
  typedText,
  typedUnit,
} from './units';

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
    ['1,2 Mio.', 1_200_000],
    ['(1,500.00)', -1500],
    ['two', null],
    ['5 k k', null],
  ])('%s is %s', (text, value) => {
    expect(readTyped(text, '')).toBe(value);
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

test.each([
  ['ratio', { minimum: 1, maximum: 5 }, 3],
  ['ratio', { exclusiveMinimum: 0, maximum: 1 }, 0.5],
  ['fraction', { minimum: 0, maximum: 0.1 }, 5],
  ['count', { type: 'integer', minimum: 2, maximum: 9 }, 6],
  ['count', { type: 'integer', minimum: 1 }, 12],
  ['yr', { minimum: 0, maximum: 3 }, 1.5],
  ['W', {}, 12.5],
  ['USD/kWh', { minimum: 0, maximum: 0.1 }, 0.05],
])('a refusal of %s within %o has an example that is taken', (unit, bounds, value) => {
  const refusal = refusalOf(unit, undefined, 'x', { mark: '.', bounds });
  const example = / such as (.*)\.$/.exec(refusal)?.[1] ?? '';
  expect(Number.parseFloat(example.replace('$', ''))).toBe(value);
});

test('dollars of a study in another currency are echoed with the rate and its day', () => {
  const dated = { code: 'EUR', per_usd: 0.86, as_of: '2025-10-01' };
  const echo = (text: string) => echoOf(text, 'USD', dated, { mark: ',' });
  expect(echo('$100').replaceAll('\u00a0', ' ')).toBe(
    '= €86, at 0,86 EUR per US dollar, the rate of 1 Oct 2025',
  );
  expect(echo('100')).toBe('= €100');
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

test.each([
  ['420 cores', 'cores', 420],
  ['840 vCPU', 'cores', 420],
  ['840 vCPUs', 'cores', 420],
  ['4 cores', 'vCPU', 8],
  ['22%/yr', 'fraction/yr', 0.22],
  ['22 % p.a.', 'fraction/yr', 0.22],
  ['22% a year', 'fraction/yr', 0.22],
  ['2%/month', 'fraction/yr', null],
  ['25 TB/month', 'TB/month', 25],
  ['300 TB/yr', 'TB/month', 25],
  ['300 TB/a', 'TB/month', 25],
  ['1.2 PB / a', 'TB/month', 100],
  ['25 TB per month', 'TB/month', 25],
  ['1,6 TiB', 'GiB', 1638.4],
  ['512 Go', 'GB', 512],
  ['4 years', 'yr', 4],
  ['48 months', 'yr', 4],
  ['4 years', 'months', 48],
  ['90 min', 'h', 1.5],
  ['1.2 MW', 'kW', 1200],
  ['3 people', 'FTE', 3],
  ['12 servers', 'nodes', 12],
  ['5000 IOPS', '1/s', 5000],
  ['300 requests/min', '1/s', 5],
  ['5 ms', '1/s', null],
  ['0.4 kg CO2e/kWh', 'g CO2e/kWh', 400],
  ['1.5x', 'ratio', 1.5],
  ['420 Kerne', 'cores', 420],
  ['3 Jahre', 'yr', 3],
  ['36 Monate', 'months', 36],
  ['1 Jahr', 'months', 12],
  ['1 Monat', 'months', 1],
  ['12 Stück', 'count', 12],
  ['12 Stück', 'nodes', 12],
  ['12 Stück', 'ratio', null],
  ['12 Stück', 'W', null],
  ['1,5 Mio', 'TB', 1_500_000],
  ['1,5 Mio.', 'TB', 1_500_000],
  ['1,5 Mio TB', 'TB', 1_500_000],
  ['1,5 mio', 'GiB', 1_500_000],
  ['1,5 Mio', 'B', 1_500_000],
  ['2 Mio/Monat', 'million/month', 2],
  ['2 Mio.', 'million/month', 2],
  ['2 Mrd', 'TB', 2e9],
  ['2 Mrd.', '1/yr', 2e9],
  ['1,5 MiB', 'B', 1_572_864],
  ['1,5 Gio', 'MiB', 1536],
  ['40 Gb', 'GB', null],
  ['40 Gb', 'TB', null],
  ['40 Gib', 'GiB', null],
  ['40 kb', 'B', null],
  ['40 Mb/s', 'MB/s', null],
  ['40 gb', 'GB', 40],
  ['40 Gb/s', 'Gbit/s', 40],
  ['400 Mb/s', 'Gbit/s', 0.4],
  ['10 Gbps', 'Gbit/s', 10],
  ['10 Gbps', 'GB/s', null],
  ['22 % pro Jahr', 'fraction/yr', 0.22],
  ['22 Prozent im Jahr', 'fraction/yr', 0.22],
  ['25 TB im Monat', 'TB/month', 25],
  ['12 Stunden', 'h', 12],
  ['90 Minuten', 'h', 1.5],
  ['2,5 Personen', 'FTE', 2.5],
  ['3 /J', '1/yr', 3],
  ['22 %/J', 'fraction/yr', 0.22],
  ['300 TB/J', 'TB/month', 25],
  ['75 TB/Quartal', 'TB/month', 25],
  ['75 TB/quarter', 'TB/month', 25],
  ['2 Quartale', 'months', 6],
  ['2 Halbjahre', 'months', 12],
  ['3 MB/J', 'MB/J', 3],
  ['3 MB/J', 'MB/month', 0.25],
  ['25 TB', 'USD', null],
  ['5 kW', 'kWh', null],
  ['25 TB/month', 'TB', null],
])('the words of %s in a field of %s make it %s', (text, unit, value) => {
  expect(readTyped(text, unit)).toBe(value);
});

test.each([
  ['EUR 90,000', 'USD/FTE-yr', 90_000],
  ['90.000,00 EUR/person/year', 'USD/FTE-yr', 90_000],
  ['0.21 EUR/kWh', 'USD/kWh', 0.21],
  ['0,21', 'USD/kWh', 0.21],
  ['€210/MWh', 'USD/kWh', 0.21],
  ['1,2 Mio. EUR', 'USD', 1_200_000],
  ['95.000,00 EUR/year', 'USD/FTE-yr', 95_000],
  ['95.000,00 €/Jahr', 'USD/FTE-yr', 95_000],
  ['95.000,00 Euro pro Jahr', 'USD/FTE-yr', 95_000],
  ['95.000,00 EUR pro Person und Jahr', 'USD/FTE-yr', 95_000],
  ['95.000,00 EUR pro Person', 'USD/FTE-yr', 95_000],
  ['7.900,00 €/month', 'USD/FTE-yr', 94_800],
  ['7.900,00 € im Monat', 'USD/FTE-yr', 94_800],
  ['21 EUR/month', 'USD/GB-month', null],
  ['0,021 EUR/GB', 'USD/GB-month', null],
  ['21 ct/kWh', 'USD/kWh', 0.21],
  ['21,5 Cent/kWh', 'USD/kWh', 0.215],
  ['21 ct', 'kWh', null],
  ['95 T€', 'USD', 95_000],
  ['95 TEUR', 'USD', 95_000],
  ['95 kEUR/Jahr', 'USD/FTE-yr', 95_000],
  ['95 Tsd. €', 'USD', 95_000],
  ['1,2 Mio. €', 'USD', 1_200_000],
  ['95 T', 'USD', null],
  ['95.000,-', 'USD/FTE-yr', 95_000],
  ['95.000,-- €', 'USD', 95_000],
  ["95'000.- EUR", 'USD', 95_000],
  ['95.000,- €/J', 'USD/FTE-yr', 95_000],
])('%s of a study in euros in a field of %s is %s euros', (text, unit, value) => {
  const read = readTyped(text, unit, EUR);
  expect(read === null ? null : toTyped(read, unit, EUR)).toBe(value);
});

test('a noun of a field is accepted in it alone', () => {
  expect(readTyped('12 GPUs', 'count', undefined, { name: 'GPUs at peak' })).toBe(12);
  expect(readTyped('12 disks', 'count', undefined, { name: 'Drives' })).toBe(12);
  expect(readTyped('12 GPUs', 'count', undefined, { name: 'Drives' })).toBeNull();
});

test.each([
  ['1,6 TiB', 'GiB', undefined, '= 1,638.4 GiB'],
  ['1,638', 'GiB', undefined, '= 1,638.0 GiB'],
  ['1.234', 'GiB', undefined, '= 1.2340 GiB'],
  [
    '840 vCPU',
    'cores',
    undefined,
    '= 420 cores, at 2 threads per core; where a vCPU is a whole core, enter cores',
  ],
  ['22', 'fraction/yr', undefined, '= 22%/yr'],
  ['EUR 90,000', 'USD/FTE-yr', EUR, '= €90,000.00/FTE-yr'],
  ['0,21', 'USD/kWh', EUR, '= €0.21/kWh'],
  ['-3k', 'USD', undefined, '= −$3,000.00'],
  ['much', 'GiB', undefined, ''],
  ['512 GB', 'GiB', undefined, '= about 476.8370 GiB'],
  ['504 days', 'yr', undefined, '= about 1.38082 yr'],
  ['1234567', 'GiB', undefined, '= 1,234,567 GiB'],
  ['0,123456789', 'ratio', undefined, '= 0.123456789'],
])('%s in a field of %s is echoed', (text, unit, currency, echo) => {
  expect(echoOf(text, unit, currency).replaceAll('\u00a0', ' ')).toBe(echo);
});

const UNITS = (
  'count ms fraction W ratio MB/s USD fraction/yr GB B TB 1/s s ns h mA USD/kWh months J USD/month USD/yr ' +
  '1/bit USD/GB yr GiB Gbit/s us rpm USD/h kg_CO2e g_CO2e/kWh 1 USD/kW-month TB/month kW FTE calendar_year ' +
  'USD/GB-month V USD/million W/TB MIPS GB/TB cores nodes USD/t_CO2e MB requests GB/s USD/TB-month W/vCPU ' +
  'million/month ops/W USD/node-yr vCPU kWh month GB/h gCO2e/kWh 1/yr core-h TB-month MiB nJ h/yr ' +
  'USD/FTE-yr h/month kg_CO2e/vCPU-yr USD/IOPS-month USD/(MB/s)-month days jobs/day USD/TB USD/GiB ' +
  'USD/core-yr USD/socket-yr USD/rack-month W/GB kWh/GB Mbit/s core-h/yr MIPS/W K'
)
  .split(' ')
  .map((unit) => unit.replaceAll('_', ' '));

test.each(UNITS)('a field of %s takes its own unit, and the example of its refusal', (unit) => {
  for (const currency of [{ code: 'USD', per_usd: 1 }, EUR, CHF]) {
    for (const amount of [2, 0.75, 1234.5]) {
      const held = fromTyped(amount, unit, currency);
      const text = `${amount} ${typedUnit(unit, currency)}`;
      expect([text, readTyped(text, unit, currency)]).toEqual([text, held]);
    }
    const [, example = ''] = /such as (.*?)(?: or (.*))?\.$/.exec(refusalOf(unit, currency)) ?? [];
    expect([example, readTyped(example, unit, currency)]).not.toContain(null);
  }
});

describe('a rate', () => {
  it.each([
    ['100M', 1e8],
    ['100 M/s', 1e8],
    ['100 Mreq/s', 1e8],
    ['50 kIOPS', 5e4],
    ['2.5 k queries/s', 2500],
    ['300 req/s', 300],
    ['300 calls/s', 300],
    ['12 IOPS', 12],
    ['5 mIOPS', null],
    ['7 Transactions/s', 7],
    ['60 req/min', 1],
  ])('%s is read with its prefix', (text, value) => {
    expect(readTyped(text, '1/s')).toBe(value);
  });
});

test.each([
  ['EUR 90,000', undefined, 'EUR'],
  ['90.000 €', undefined, 'EUR'],
  ['95.000 Euro pro Jahr', undefined, 'EUR'],
  ['£90k', EUR, 'GBP'],
  ['CHF 1.2k', EUR, 'CHF'],
  ['$90k', EUR, null],
  ['90,000', undefined, null],
  ['90 people', undefined, null],
  ['EUR ninety', undefined, null],
])('%s is refused with the currency that it names', (text, currency, code) => {
  expect(otherCurrency(text, 'USD/FTE-yr', currency)).toBe(code);
  const refusal = refusalOf('USD/FTE-yr', currency, text);
  expect(refusal.includes(`choose ${code} as the currency`)).toBe(code !== null);
});
