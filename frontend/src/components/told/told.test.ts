import type { ToldFigure } from './told';
import { ticksBetween } from './told-axis';
import { toldFigure } from './told-figure';

const OPTIONS = { theme: 'light' as const, narrow: false };

const series = (one: Partial<ToldFigure['series'][number]>) => ({
  name: '',
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

  test('ticks are few', () => {
    expect(ticksBetween(8, 60)).toEqual([10, 20, 50]);
  });
});
