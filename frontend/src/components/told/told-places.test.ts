import type { GivenFigure } from './told';
import { toldFigure } from './told-figure';

const OPTIONS = { theme: 'light' as const, narrow: false, currency: undefined };
const figure = (of: Partial<GivenFigure>): GivenFigure => ({
  ...{ kind: 'points', name: 'Power', title: 'a draws least', series: [] },
  ...{ along: { title: 'Power', unit: 'W' }, ...of },
});

describe('figures whose places are named', () => {
  test('points of even axes stand on zero, each named where the others leave it room', () => {
    const one = (name: string, at: number, value: number) => ({
      name,
      at: [at],
      values: [value],
      names: [name],
    });
    const drawn = toldFigure(
      figure({
        kind: 'points',
        rows: [],
        across: { title: 'Energy', unit: 'kWh' },
        series: [one('still', 90, 0), one('moving', 60, 0.01), one('also', 60.1, 0.01)],
      }),
      OPTIONS,
    );
    expect(drawn.data.map(({ text }) => text)).toEqual([['still'], ['moving'], ['']]);
    expect(drawn.layout.xaxis?.range?.[0]).toBe(0);
  });

  test('lines without a letter are named at their ends, in their own colours', () => {
    const line = (end: string, value: number) => ({
      name: end,
      end,
      at: [0, 1],
      values: [0, value],
    });
    const drawn = toldFigure(
      figure({ kind: 'lines', rows: [], series: [line('a<b', 1), line('c', 9)] }),
      OPTIONS,
    );
    const ends = drawn.data.at(-1);
    expect(ends?.text).toEqual(['  a&lt;b', '  c']);
    expect(ends?.textfont?.color).toEqual(drawn.data.slice(0, 2).map((one) => one.line?.color));
    expect(drawn.layout.showlegend).toBe(false);
  });

  test('regions are cells of one kind each, with their names, lines over them and what is chosen', () => {
    const drawn = toldFigure(
      figure({
        kind: 'regions',
        rows: [],
        along: {
          title: 'Data set',
          unit: 'TB',
          is_log: true,
          ticks: [1, 10],
          ticks_said: ['1 TB', '10 TB'],
        },
        across: { title: 'Queries', unit: '1/s', is_log: true, ticks: [10], ticks_said: ['10'] },
        levels: [1, 10],
        kinds: ['small', 'a<b'],
        series: [
          {
            ...{ name: '1 TB', at: [10, 1000], values: [0, 1] },
            ...{ names: ['10/s', '1 k/s'], texts: ['2 × small\nby rate', '1 × a<b\nby data'] },
          },
          { name: '10 TB', at: [10, 1000], values: [0, 0] },
          { name: 'turns', at: [10, 100], values: [1, 10], style: 'dashes' },
        ],
        dots: [
          { role: '', at: 10, value: 1, text: 'small', means: '' },
          { role: 'chosen', at: 30, value: 3, text: '', means: '' },
        ],
      }),
      OPTIONS,
    );
    const [map, line, chosen, names] = drawn.data as unknown as {
      [key: string]: unknown;
      z: number[][];
      text: string[][];
    }[];
    expect(map?.z).toEqual([
      [0, 1],
      [0, 0],
    ]);
    expect(map?.text[0]?.[1]).toBe('<b>1 × a&lt;b</b><br>by data<br>1 TB, 1 k/s');
    expect(map).toMatchObject({ zmin: -0.5, zmax: 1.5 });
    expect(line).toMatchObject({ x: [10, 100], y: [1, 10] });
    expect(chosen).toMatchObject({ x: [30], y: [3] });
    expect(names?.text).toEqual(['<b>small</b>']);
    // Half a cell more than the first and the last.
    expect(drawn.layout.xaxis).toMatchObject({ type: 'log', range: [0, 4], tickvals: [10] });
  });

  test.each([
    // Five of six cells, one cell of them, all of seven, and three of five on a narrow screen.
    ['wide', [0, 1, 1, 1, 1, 1], 3, false, 58],
    ['at the edge', [0, 1, 1, 1, 1, 1], 1, false, 22],
    ['alone', [1, 1, 1, 1, 1, 1, 1], 3, false, 60],
    ['narrow', [0, 1, 1, 1, 1], 3, true, 24],
  ])(
    'a name in a region has the letters that it has room for: %s',
    (_, values, at, narrow, most) => {
      const text = 'a'.repeat(60);
      const axis = { title: '', unit: '', is_log: true, ticks: [], ticks_said: [] };
      const places = values.map((_one, place) => 10 ** place);
      const drawn = toldFigure(
        figure({
          ...{ kind: 'regions', rows: [], along: axis, across: axis, levels: [1] },
          kinds: ['b', text],
          series: [{ name: '', at: places, values, texts: [], names: [] }],
          dots: [{ role: '', at: places[at] ?? 0, value: 1, text, means: '' }],
        }),
        { ...OPTIONS, narrow },
      );
      const shown = String(drawn.data.at(-1)?.text).replaceAll(/<\/?b>/g, '');
      expect(shown).toHaveLength(most);
    },
  );
});
