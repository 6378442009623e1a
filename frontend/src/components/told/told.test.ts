import type { ToldFigure } from './told';
import { ticksBetween } from './told-axis';
import { toldFigure } from './told-figure';

const OPTIONS = { theme: 'light' as const, narrow: false };

const series = (one: Partial<ToldFigure['series'][number]>) => ({
  name: '',
  role: '',
  values: [],
  at: [],
  names: [],
  kinds: [],
  ...one,
});

const figure = (changes: Partial<ToldFigure>): ToldFigure => ({
  kind: 'stacked',
  name: 'Power by part',
  title: 'a draws least',
  along: { title: 'Power', unit: 'W', is_log: false },
  rows: ['a', '<b>'],
  row_notes: [],
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
        across: { title: 'Working set', unit: 'KiB', is_log: true },
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
        across: { title: 'Speed', unit: 'MIPS', is_log: true },
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
        across: { title: 'Disks', unit: 'count', is_log: false },
        measure: { title: 'Time', unit: 's', is_log: false },
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
        across: { title: 'Time', unit: 'minutes', is_log: false },
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
      { label: 'Name', unit: '', values: ['a', 'b'] },
      { label: 'Share', unit: 'fraction', values: [0.5, null] },
    ];
    expect(toldFigure(figure({ twin }), OPTIONS).table.rows).toEqual([
      ['a', 0.5],
      ['b', null],
    ]);
  });

  test('ticks are few', () => {
    expect(ticksBetween(8, 60)).toEqual([10, 20, 50]);
  });
});
