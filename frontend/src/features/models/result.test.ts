import { toCsv } from '../../lib/csv';
import { USD } from '../../lib/format';
import type { Formula } from '../../lib/models';
import type { JsonSchema } from '../../lib/schema';
import { seriesFigure } from './figures/series';
import { formulaFor } from './formulas';
import { partsOf } from './result';
import { factsTable } from './save';
import { canDraw, xOffers, yOffers } from './series';
import { beginnings } from './start';

const number = (title: string, unit: string): JsonSchema => ({ type: 'number', title, unit });

const schema: JsonSchema = {
  $defs: {
    Mode: {
      type: 'object',
      properties: {
        mode: { type: 'string', title: 'Mode', enum: ['one_by_one', 'spin'] },
        reads_per_s: number('Reads', '1/s'),
        latency_us: number('Latency', 'us'),
        load: { type: 'array', title: 'Load', items: { $ref: '#/$defs/Load' } },
      },
    },
    Load: {
      type: 'object',
      properties: { rate_per_s: number('Rate', '1/s'), busy_fraction: number('Busy', 'fraction') },
    },
    Point: { type: 'object', properties: { power_w: number('Power', 'W') } },
  },
  type: 'object',
  properties: {
    headline: { type: 'string', title: 'Headline' },
    energy_usd: number('Energy', 'USD'),
    energy_kwh: number('Energy', 'kWh'),
    parity_usd_per_kwh: { ...number('Parity', 'USD/kWh') },
    parity_reason: { type: 'string', title: 'Parity reason' },
    optimum: { $ref: '#/$defs/Point' },
    modes: { type: 'array', title: 'Modes', items: { $ref: '#/$defs/Mode' } },
    at_ms: { type: 'array', title: 'Response', items: number('', 'ms') },
    share_fraction: { type: 'array', title: 'Share', items: number('', 'fraction') },
    warnings: { type: 'array', title: 'Warnings', items: { type: 'string' } },
  },
};

const busy = (rate: number, share: number) => ({ rate_per_s: rate, busy_fraction: share });

// In another order than the schema, as a database gives it back.
const result = {
  warnings: ['Too few rows.'],
  at_ms: [1, 2, 4, 8, 16],
  share_fraction: [0.1, 0.5, 0.8, 0.9, 1],
  modes: [
    {
      load: [1, 2, 3, 4, 5].map((rate) => busy(rate, rate / 10)),
      mode: 'one_by_one',
      latency_us: 200,
      reads_per_s: 23_000,
    },
    {
      load: [1, 2, 3, 4, 5].map((rate) => busy(rate, rate / 5)),
      mode: 'spin',
      latency_us: 100,
      reads_per_s: 20_000,
    },
    { load: [], mode: 'defer', latency_us: 400, reads_per_s: 35_500 },
  ],
  optimum: { power_w: 247 },
  parity_usd_per_kwh: null,
  parity_reason: 'no_power',
  energy_kwh: 133_371,
  energy_usd: 9335.97,
  headline: '**Deferral** reads most.',
};

describe('a result, taken apart by its schema', () => {
  const parts = partsOf(result, schema);
  const [first, optimum] = parts.groups;

  it('reads sentences and warnings, and figures in the order of the schema', () => {
    expect(parts.sentences).toEqual(['**Deferral** reads most.']);
    expect(parts.warnings).toEqual(['Too few rows.']);
    expect(first?.facts.map(({ label, value }) => [label, value])).toEqual([
      ['Energy ($)', 9335.97],
      ['Energy (kWh)', 133_371],
      ['Parity', null],
    ]);
    expect(optimum?.title).toBe('Optimum');
    expect(optimum?.facts[0]).toMatchObject({ label: 'Power', unit: 'W', value: 247 });
  });

  it('says why a figure is missing, in words', () => {
    expect(first?.facts[2]?.reason).toBe('No power');
  });

  it('lists objects with a column for each field, keys as words', () => {
    const modes = parts.tables.find(({ key }) => key === 'modes');
    expect(modes?.columns.map(({ label }) => label)).toEqual(['Mode', 'Reads', 'Latency']);
    expect(modes?.rows[0]).toEqual(['One by one', 23_000, 200]);
  });

  it('puts lists within entries below each other, a line of a chart for each entry', () => {
    const loads = parts.tables.find(({ key }) => key === 'modes.load');
    expect(loads?.title).toBe('Modes: Load');
    expect(loads?.by).toBe(0);
    expect(loads?.rows[5]).toEqual(['Spin', 1, 0.2]);
    if (!loads) return;
    const figure = seriesFigure(loads, { x: 1, y: [2] }, { theme: 'light', narrow: false });
    expect(figure.data.map(({ name, y }) => [name, y])).toEqual([
      ['One by one', [0.1, 0.2, 0.3, 0.4, 0.5]],
      ['Spin', [0.2, 0.4, 0.6, 0.8, 1]],
      [undefined, [expect.any(Number), expect.any(Number)]],
    ]);
    expect(figure.title).toBe('Busy over rate: 10% to 100%');
  });

  it('sets lists of numbers of one length side by side and draws them over what rises', () => {
    const series = parts.tables.find(({ columns }) => columns[0]?.key === 'at_ms');
    expect(series?.columns.map(({ unit }) => unit)).toEqual(['ms', 'fraction']);
    if (!series) return;
    expect(canDraw(series)).toBe(true);
    expect(xOffers(series)).toEqual([0, 1]);
    expect(yOffers(series, 0)).toEqual([{ value: '1', label: 'Share', columns: [1] }]);
  });

  it('draws few rows as bars over their names and says which are the ends', () => {
    const modes = parts.tables.find(({ key }) => key === 'modes');
    if (!modes) throw new Error('no modes');
    expect(xOffers(modes)[0]).toBe(0);
    const figure = seriesFigure(modes, { x: 0, y: [1] }, { theme: 'dark', narrow: true });
    expect(figure.data[0]).toMatchObject({ type: 'bar', x: ['One by one', 'Spin', 'Defer'] });
    expect(figure.title.replaceAll('\u00a0', ' ')).toBe(
      'Reads: 20,000 per s (Spin) to 35,500 per s (Defer)',
    );
  });

  it('saves figures with their exact values and units', () => {
    expect(toCsv(factsTable(parts), USD).split('\r\n')[1]).toBe(',Energy ($),9335.97,USD');
  });
});

describe('a grid of numbers', () => {
  it('runs over the lists beside it, which are no series of their own', () => {
    const list = { type: 'array', items: number('', 'fraction') } as JsonSchema;
    const grid = {
      properties: {
        loads: { ...list, title: 'Loads' },
        energy_j: { type: 'array', title: 'Energy', items: { ...list, items: number('', 'J') } },
      },
    } satisfies JsonSchema;
    const { grids, tables } = partsOf({ loads: [0.1, 0.2], energy_j: [[1, 2], [3, 4]] }, grid); // prettier-ignore
    expect(tables).toEqual([]);
    expect(grids).toMatchObject([
      { title: 'Energy', unit: 'J', x: { label: 'Loads', values: [0.1, 0.2] } },
    ]);
  });
});

describe('what a form begins with', () => {
  it('names the published case that the defaults are, and each other case once', () => {
    const source = 'A paper';
    const found = beginnings({ rate: 1 }, [
      { check: 'A', title: 'First', source, params: { rate: 2 } },
      { check: 'B', title: 'Second', source, params: { rate: 1 } },
      { check: 'C', title: 'As the first', source, params: { rate: 2 } },
    ]);
    expect(found.map(({ value, label }) => [value, label])).toEqual([
      ['', 'Defaults: Second'],
      ['A', 'First'],
    ]);
  });
});

describe('the equation of a figure', () => {
  it('is found by name or by the symbol that it defines', () => {
    const formulas: Formula[] = [
      {
        id: 'tco',
        text: 'TCO = capital + energy',
        source: '',
        symbols: {},
        papers: [],
        models: [],
      },
      {
        id: 'rate',
        text: 'lambda = failures / time',
        source: '',
        symbols: { lambda: 'afr_per_h' },
        papers: [],
        models: [],
      },
    ];
    expect(formulaFor('tco_usd', formulas)?.id).toBe('tco');
    expect(formulaFor('afr_per_h', formulas)?.id).toBe('rate');
    expect(formulaFor('energy_usd', formulas)).toBeUndefined();
  });
});
