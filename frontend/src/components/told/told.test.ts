import { shortOf } from '../../lib/plotting';
import type { ToldFigure } from './told';
import { ticksBetween } from './told-axis';
import { toldFigure } from './told-figure';

const OPTIONS = { theme: 'light' as const, narrow: false, currency: undefined };

const series = (one: Partial<ToldFigure['series'][number]>) => ({
  name: '',
  role: '',
  values: [],
  at: [],
  names: [],
  kinds: [],
  low: [],
  high: [],
  base: [],
  texts: [],
  end: '',
  style: 'line' as const,
  ...one,
});

const axis = (title: string, unit: string, changes: Partial<ToldFigure['along']> = {}) => ({
  title,
  unit,
  is_log: false,
  from_zero: true,
  ticks: [],
  ticks_said: [],
  ...changes,
});

const figure = (changes: Partial<ToldFigure>): ToldFigure => ({
  kind: 'stacked',
  name: 'Power by part',
  of: null,
  title: 'a draws least',
  summary: '',
  along: axis('Power', 'W'),
  rows: ['a', '<b>'],
  row_roles: [],
  row_notes: [],
  row_reasons: [],
  dots: [],
  limit: null,
  twin: [],
  series: [
    series({ name: 'Nodes', values: [1, 2000] }),
    series({ name: 'Disks', values: [2, null] }),
  ],
  across: null,
  best: null,
  marks: [],
  kinds: [],
  levels: [],
  measure: null,
  less_is_better: false,
  note: null,
  ...changes,
});

describe('figures that a model gives as data', () => {
  test('bars have a row each, their sum in the summary, and names as text', () => {
    const drawn = toldFigure(figure({}), OPTIONS);
    expect(drawn.summary).toMatch(/a: 3\.00\sW; <b>: 2\.00\skW/u);
    expect(drawn.layout.yaxis?.ticktext).toEqual(['a', '&lt;b&gt;']);
    expect(drawn.table.rows).toEqual([
      ['a', 1, 2],
      ['<b>', 2000, null],
    ]);
  });

  test('lines stand at their places, with a line where the finding changes', () => {
    const drawn = toldFigure(
      figure({
        kind: 'lines',
        rows: [],
        across: axis('Working set', 'KiB', { is_log: true }),
        series: [series({ name: 'one', at: [1, 10, 100], values: [3, 2, 1] })],
        marks: [20],
      }),
      OPTIONS,
    );
    expect(drawn.data).toHaveLength(2);
    expect(drawn.data[1]?.x).toEqual([20, 20]);
    expect(drawn.table.rows[1]).toEqual([10, 2]);
  });

  test('points name the best one always, and others where there is room', () => {
    const drawn = toldFigure(
      figure({
        kind: 'points',
        rows: [],
        across: axis('Speed', 'MIPS', { is_log: true }),
        series: [
          series({ name: 'CPU', at: [1, 1.01, 100], values: [1, 1, 2], names: ['x', 'y, z', 'w'] }),
        ],
        best: 'y, z',
      }),
      OPTIONS,
    );
    expect(drawn.data[0]?.text).toEqual(['', '<b>y</b>', 'w']);
    expect(drawn.table.rows).toHaveLength(3);
  });

  test('cells are a measure over two axes', () => {
    const drawn = toldFigure(
      figure({
        kind: 'cells',
        rows: [],
        across: axis('Disks', 'count'),
        measure: axis('Time', 's'),
        levels: [4, 8],
        series: [
          series({ name: '1 node', at: [1, 2], values: [9, 8], kinds: ['waits for disks', 'x'] }),
          series({ name: '2 nodes', at: [1, 2], values: [7, 6] }),
        ],
      }),
      OPTIONS,
    );
    const [map] = drawn.data as unknown as { z: number[][]; text: string[][] }[];
    expect(map?.z).toEqual([
      [9, 8],
      [7, 6],
    ]);
    expect(map?.text[0]?.[0]).toContain('waits for disks');
  });

  test('areas add up, and their places may have names', () => {
    const drawn = toldFigure(
      figure({
        kind: 'areas',
        rows: [],
        across: axis('Time', 's', { ticks: [0, 60, 120], ticks_said: ['0', '1 min', '2 min'] }),
        series: [
          series({ name: 'Reads', at: [30, 90], values: [3, 2], names: ['0 s', '1 min'] }),
          series({ name: 'Writes', at: [30, 90], values: [1, 4] }),
        ],
      }),
      OPTIONS,
    );
    expect(drawn.data.map(({ stackgroup }) => stackgroup)).toEqual(['one', 'one']);
    expect(drawn.data[1]?.hovertext?.[1]).toContain('at 1 min');
    expect(drawn.layout.xaxis?.ticktext).toEqual(['0', '1 min', '2 min']);
    expect(drawn.layout.yaxis?.range?.[1]).toBeGreaterThan(6);
  });

  test('a line has a band where it may be off, and marks of other places their own rows', () => {
    const drawn = toldFigure(
      figure({
        kind: 'lines',
        rows: [],
        across: axis('Load', 'fraction'),
        series: [
          series({ name: 'Curve', at: [0, 1], values: [1, 3], low: [0, null], high: [2, null] }),
          series({
            name: 'Measured',
            at: [0.5],
            values: [2.1],
            low: [2],
            high: [2.4],
            style: 'dots',
          }),
        ],
      }),
      OPTIONS,
    );
    expect(drawn.data.map(({ fill, mode }) => fill ?? mode)).toEqual([
      'toself',
      'lines+markers',
      'markers',
    ]);
    expect(drawn.data[0]?.y).toEqual([2, 0]);
    expect(drawn.data[2]?.error_y).toMatchObject({ array: [expect.closeTo(0.3)] });
    expect(drawn.table.rows).toEqual([
      [0, 1, null],
      [0.5, null, 2.1],
      [1, 3, null],
    ]);
  });

  test('ranges have a mark and how far it may be off in each row', () => {
    const drawn = toldFigure(
      figure({
        kind: 'ranges',
        rows: ['bad', 'good'],
        series: [series({ name: 'Rate', values: [6, 0], low: [3, 0], high: [14, 2] })],
      }),
      OPTIONS,
    );
    expect(drawn.data[0]?.error_x).toMatchObject({ array: [8, 2], arrayminus: [3, 0] });
    expect(drawn.layout.yaxis?.ticktext).toEqual(['bad', 'good']);
  });

  test('of very many ranges with long names each has its name, for its row is tall', () => {
    const rows = Array.from({ length: 60 }, (_, at) => `Power of a workload under a policy, ${at}`);
    const values = rows.map((_, at) => at);
    const drawn = toldFigure(
      figure({ kind: 'ranges', rows, series: [series({ name: 'Printed', values })] }),
      OPTIONS,
    );
    expect(drawn.layout.yaxis?.tickvals).toHaveLength(60);
  });

  test('columns stand side by side, with marks over them', () => {
    const drawn = toldFigure(
      figure({
        kind: 'columns',
        series: [
          series({ name: 'Mean', values: [1, 2] }),
          series({ name: 'P95', values: [3, 4], style: 'dots' }),
        ],
      }),
      OPTIONS,
    );
    expect(drawn.data.map(({ type }) => type)).toEqual(['bar', 'scatter']);
    expect(drawn.layout.xaxis?.ticktext).toEqual(['a', '&lt;b&gt;']);
  });

  const money = axis('Cash', 'USD');
  const LEVELLED = { rows: [], across: money, measure: money, levels: [1, 2] };
  test.each<[string, Partial<ToldFigure>]>([
    ['split bars', { kind: 'stacked' }],
    ['bars side by side', { kind: 'grouped' }],
    ['columns', { kind: 'columns' }],
    ['ranges', { kind: 'ranges' }],
    ['bars of designs', { kind: 'stacked', row_roles: ['A', 'B'] }],
    ['ranges of designs', { kind: 'ranges', row_roles: ['A', 'B'] }],
    ['a waterfall', { kind: 'waterfall', row_roles: ['A', 'B'], row_notes: ['', ''] }],
    ['swings', { kind: 'swings', measure: money }],
    ['lines', { kind: 'lines', rows: [], across: money }],
    ['areas', { kind: 'areas', rows: [], across: money }],
    ['steps', { kind: 'steps', rows: [], across: axis('Month', '') }],
    ['points', { kind: 'points', rows: [], across: money }],
    ['cells', { kind: 'cells', ...LEVELLED }],
    [
      'cells under ticks',
      { kind: 'cells', ...LEVELLED, across: { ...money, ticks: [1], ticks_said: ['1'] } },
    ],
    ['regions', { kind: 'regions', ...LEVELLED, kinds: ['A'] }],
  ])('amounts of %s are in the study’s currency, on the axes as at the bars', (_, changes) => {
    const ends = { at: [1, 2], values: [1000, 2000], low: [900, 1800], high: [1100, 2200] };
    const of = figure({
      along: money,
      series: ['a', 'b'].map((name) => series({ name, names: ['', ''], ...ends })),
      ...changes,
    });
    const euros = { ...OPTIONS, currency: { code: 'EUR', per_usd: 0.9 } };
    const said = JSON.stringify(toldFigure(of, euros));
    expect(said).not.toContain('$');
    expect(said).toContain('€');
  });

  test('instants stand on one clock, which the axis names', () => {
    const at = [Date.UTC(2026, 10, 1, 9, 30), Date.UTC(2026, 10, 2, 23, 30)];
    const dots = [
      { role: 'A', at: at[1] ?? 0, value: 2, text: 'A', means: '' },
    ] as unknown as ToldFigure['dots'];
    const { data, layout } = toldFigure(
      figure({
        kind: 'lines',
        rows: [],
        across: axis('Time (UTC)', 'instant'),
        series: [series({ name: 'Cost', at, values: [1, 2], style: 'steps' })],
        dots,
      }),
      OPTIONS,
    );
    const [line, dot] = [data[0], data.at(-1)];
    expect(line?.x).toEqual(['2026-11-01T09:30:00.000Z', '2026-11-02T23:30:00.000Z']);
    expect(dot?.x).toEqual(['2026-11-02T23:30:00.000Z']);
    expect(layout.xaxis).toMatchObject({ type: 'date', title: { text: 'Time (UTC)' } });
  });

  test('a figure that was kept before axes had ticks is drawn too', () => {
    const plain = { title: 'Power', unit: 'W' };
    const kept = { ...figure({}), along: plain, series: [{ name: 'a', values: [1, 2] }] };
    expect(toldFigure(kept, OPTIONS).data).toHaveLength(1);
  });

  test('states have a colour of their own, and bars the words at their ends', () => {
    const drawn = toldFigure(
      figure({
        row_notes: ['3 W, hardly worn', '2 kW'],
        series: [
          series({ name: 'Idle', role: 'idle', values: [1, 2000] }),
          series({ name: 'Standby', role: 'standby', values: [2, null] }),
        ],
      }),
      OPTIONS,
    );
    expect(drawn.data.map(({ name }) => name)).toEqual(['Idle', 'Standby', 'Totals']);
    expect(drawn.data[0]?.marker?.color).toBe('#9DB4C8');
    expect(drawn.data[2]?.x).toEqual([3, 2000]);
    expect(drawn.summary).toContain('a: 3 W, hardly worn');
  });

  test('designs have their letters at their lines, and a second line stands back', () => {
    const drawn = toldFigure(
      figure({
        kind: 'lines',
        rows: [],
        series: [
          series({ name: 'B, Laptops', role: 'B', at: [1, 2], values: [3, 4], names: ['', 'p95'] }),
          series({ name: 'B, p95', role: 'B', at: [1, 2], values: [5, 9] }),
        ],
      }),
      OPTIONS,
    );
    expect(drawn.data.map(({ mode }) => mode)).toEqual(['lines+markers', 'lines', 'text']);
    expect(drawn.data[0]?.marker?.size).toEqual([0, 8]);
    expect(drawn.data[1]?.line).toMatchObject({ width: 1, dash: 'dot' });
    expect(drawn.data[2]).toMatchObject({ x: [2], y: [4], text: ['  <b>B</b>'] });
  });

  test('steps hold from one place to the next, on top of each other', () => {
    const drawn = toldFigure(
      figure({
        kind: 'steps',
        rows: [],
        across: axis('Time', 'minutes'),
        series: [series({ name: 'Idle', role: 'idle', at: [0, 5, 10], values: [3, 4] })],
      }),
      OPTIONS,
    );
    expect(drawn.data[0]).toMatchObject({ x: [0, 5, 5, 10], y: [3, 3, 4, 4] });
    expect(drawn.layout.xaxis).toMatchObject({ title: { text: 'Time, minutes' }, range: [0, 10] });
  });

  test('of many rows every fifth is named, and the summary is the finding', () => {
    const rows = Array.from({ length: 40 }, (_, at) => `disk ${at}`);
    const values = rows.map(() => 1);
    const drawn = toldFigure(figure({ rows, series: [series({ name: 'Idle', values })] }), OPTIONS);
    expect(drawn.layout.yaxis?.ticktext).toHaveLength(8);
    expect(drawn.summary).toBe('a draws least.');
  });

  test('a table of its own stands for the numbers of a figure', () => {
    const twin = [
      { label: 'Name', unit: '', values: ['a', 'b'], said: [] },
      { label: 'Share', unit: 'fraction', values: [0.5, null], said: [] },
    ];
    expect(toldFigure(figure({ twin }), OPTIONS).table.rows).toEqual([
      ['a', 0.5],
      ['b', null],
    ]);
  });

  test('a name that is cut keeps the letter of its design', () => {
    expect(shortOf('Space: colocation per rack (F)', 17)).toBe('Space: coloc… (F)');
    expect(shortOf('PUE', 17)).toBe('PUE');
  });

  test('ticks are few', () => {
    expect(ticksBetween(8, 60)).toEqual([10, 20, 50]);
  });
});
