import { comparison } from '../../../tests/data';
import { figureOf, type DrawnFigure } from '../../lib/comparison';
import type { Figure } from '../../lib/figure';
import { toldFigure } from './told-figure';
import type { Options } from './told-rows';

// What Python tells of the shared comparison: `python -m reports.tests.series` writes it.
const figures = comparison.drawn?.figures ?? [];
const { currency } = comparison;
const wide: Options = { theme: 'light', currency, narrow: false };
const narrow = { ...wide, narrow: true };
const francs = { ...narrow, currency: { code: 'CHF', per_usd: 0.8 } };

interface Bars {
  x: number[];
  y: number[];
  base: number[];
  text: string[];
  textposition: string[];
}

function told(name: string, of?: string): DrawnFigure {
  const figure = figureOf(comparison, name, of);
  if (!figure) throw new Error(`The shared comparison has no ${name}.`);
  return figure;
}

const drawn = (name: string, options = wide) => toldFigure(told(name), options);
const barsOf = ({ data }: Figure) =>
  data.filter(({ type }) => type === 'bar') as unknown as (Bars & { name: string })[];
const rangeOf = (figure: Figure, axis: 'xaxis' | 'yaxis' = 'xaxis') =>
  (figure.layout[axis]?.range ?? []) as [number, number];
/** What a label of twelve pixels takes at most. */
const width = (label: string) => label.length * 6.5;

const rude = JSON.parse(
  JSON.stringify(figures).replaceAll('AWS', 'A name of which much has to be cut <b>& here</b>'),
) as typeof figures;

describe.each([
  ['as they are', figures],
  ['with long names that look like markup', rude],
])('the figures of a comparison, %s', (_name, all) => {
  it.each(all.map((figure) => [`${figure.name} ${figure.of ?? ''}`, figure] as const))(
    'draw %s in both themes, wide and narrow',
    (_title, figure) => {
      for (const theme of ['light', 'dark'] as const) {
        for (const isNarrow of [true, false]) {
          const { title, summary, data, table, layout } = toldFigure(figure, {
            theme,
            currency,
            narrow: isNarrow,
          });
          expect(title + summary).not.toMatch(/undefined|NaN|null/);
          expect(JSON.stringify([data, layout])).not.toMatch(/undefined|NaN|<b>&/);
          expect(data.length > 0).toBe(figure.series.length > 0);
          expect(table.rows.every((row) => row.length === table.columns.length)).toBe(true);
        }
      }
    },
  );
});

// Lines of the table beneath the causes: their sum, what is left, and the total.
const BENEATH = 3;

describe('bars of designs', () => {
  it.each(['Cost by cause', 'Energy', 'Carbon'])('of %s start at zero', (name) => {
    expect(rangeOf(drawn(name))[0]).toBeLessThanOrEqual(0);
  });

  it('of causes end at the cost of each design before what is left, which stands beneath', () => {
    const [bar] = barsOf(drawn('Cost by cause'));
    const beneath = drawn('Cost by cause').layout.annotations ?? [];
    comparison.designs.forEach((design, at) => {
      const sum = bar?.x.reduce((total, usd, piece) => total + (bar.y[piece] === at ? usd : 0), 0);
      const left = design.causes.filter(({ label }) => label === 'Value left');
      const worth = left.reduce((total, { ranked_usd }) => total - ranked_usd, 0);
      expect(sum).toBeCloseTo(design.ranked_usd + worth, 4);
      expect(beneath[at]?.text?.includes('value left')).toBe(worth > 0);
    });
    expect(bar?.x.every((usd) => usd >= 0)).toBe(true);
  });

  it('lose what the legend switches off, and close up where it stood', () => {
    const figure = drawn('Cost by cause');
    const entries = figure.legend?.entries ?? [];
    const ids = entries.map(({ id }) => id);
    // Seven causes, and the others as one; the table has each.
    expect(ids).toHaveLength(8);
    expect(figure.table.rows.length - BENEATH).toBeGreaterThan(8);
    expect(new Set(entries.map(({ label }) => label)).size).toBe(ids.length);
    expect(figure.legend?.without(new Set())).toEqual(figure.data);

    const [off = ''] = ids;
    const [whole] = barsOf(figure);
    const [bar] = figure.legend?.without(new Set([off])) as unknown as Bars[];
    expect(bar?.x).toEqual(whole?.x.slice(comparison.designs.length));
    // What is left begins at zero: the piece at its place is the first of its bar.
    expect(bar?.base.slice(0, comparison.designs.length)).toEqual(comparison.designs.map(() => 0));
    const [none] = figure.legend?.without(new Set(ids)) as unknown as Bars[];
    expect(none?.x).toEqual([]);
  });

  it('name only the pieces that have room for the name', () => {
    const [bar] = barsOf(drawn('Cost by cause', narrow));
    const total = Math.max(...comparison.designs.map((design) => design.total_usd));
    bar?.text.forEach((label, at) => {
      if (label) expect(((bar.x[at] ?? 0) / total) * 300).toBeGreaterThan(label.length * 5);
    });
    expect(bar?.text.some(Boolean)).toBe(true);
  });

  // Value left, credits and what is sold again lengthen a bar past its total.
  it.each([0, 0.4, 3])('stay inside their axis with gains of %s times the costs', (share) => {
    const figure = told('Cost by cause');
    const gains = comparison.designs.map((design) => -share * design.ranked_usd);
    const series = figure.series.map((one) => ({ ...one }));
    series.push({
      ...(series[0] as (typeof series)[number]),
      role: 'owned/salvage',
      values: gains,
    });
    for (const one of [toldFigure({ ...figure, series }, narrow), drawn('What moves the answer')]) {
      const [low, high] = rangeOf(one);
      for (const { x, base } of barsOf(one)) {
        x.forEach((length, at) => {
          const from = typeof base === 'number' ? base : (base[at] ?? 0);
          expect(Math.min(from, from + length)).toBeGreaterThanOrEqual(low);
          expect(Math.max(from, from + length)).toBeLessThanOrEqual(high);
        });
      }
    }
  });

  it('have a line for an estimate, and the reason where there is none', () => {
    const figure = told('Carbon');
    const range = toldFigure(figure, wide).data.find(({ name }) => name === 'Range');
    const known = figure.series.at(-1)?.low.filter((low) => low !== null) ?? [];
    expect(range?.x).toHaveLength(known.length);
    const notes = toldFigure(figure, wide).layout.annotations ?? [];
    expect(notes.map(({ hovertext }) => hovertext)).toEqual(
      figure.row_reasons.filter((reason) => reason),
    );
    expect(notes.length).toBeGreaterThan(0);
  });

  it('say of single values what they are, each in the colour of its design', () => {
    const [bar] = barsOf(drawn('Odds'));
    expect(bar?.text.every((text) => text.endsWith('%'))).toBe(true);
    expect(new Set((bar as unknown as { marker: { color: string[] } }).marker.color).size).toBe(6);
  });

  it('go from the low to the high value, with the middle marked', () => {
    const figure = told('How sure each cost is');
    const [bar] = barsOf(toldFigure(figure, wide));
    expect(bar?.base).toEqual(figure.series[0]?.low);
    expect(rangeOf(toldFigure(figure, wide))[0]).toBeGreaterThan(0);
  });
});

describe('columns of designs', () => {
  it('have their letters over them, what binds in bold, and the line of what is there', () => {
    const figure = drawn('Capacity used at peak');
    const texts = barsOf(figure).flatMap(({ text }) => text);
    expect(texts).toContain('<b>●<br>A</b>');
    expect(texts).toContain('B');
    expect(figure.layout.shapes).toMatchObject([{ y0: 1, y1: 1 }]);
    expect(rangeOf(figure, 'yaxis')[1]).toBeGreaterThan(1);
  });
});

describe('lines of designs', () => {
  it('hold amounts with the code of their currency beside them', () => {
    const figure = toldFigure(
      {
        ...told('Cumulative cost', 'Cash'),
        series: told('Cumulative cost', 'Cash').series.map((one) => ({
          ...one,
          end: one.end.replace('€', 'CHF\u00a0'),
        })),
      },
      francs,
    );
    const ends = figure.data.find(({ name }) => name === 'Ends') as unknown as Bars;
    const plain = ends.text.map((text) => text.replaceAll(/<[^>]*>/g, ''));
    const { l = 0, r = 0 } = figure.layout.margin ?? {};
    expect(r).toBeGreaterThanOrEqual(Math.max(...plain.map(width)));
    const ticks = (figure.layout.yaxis?.ticktext ?? []) as string[];
    for (const tick of ticks.filter((text) => text !== '0')) expect(tick).toMatch(/CHF/);
    expect(l).toBeGreaterThan(Math.max(...ticks.map(width)));
  });

  it('have the bands of two, and an arrow to where one becomes cheaper', () => {
    const figure = toldFigure(told('Cumulative cost', 'Present value'), wide);
    expect(figure.data.filter(({ fill }) => fill === 'toself')).toHaveLength(2);
    const [dot] = told('Cumulative cost', 'Present value').dots;
    expect(figure.layout.annotations).toMatchObject([{ x: dot?.at, y: dot?.value }]);
  });

  it('write letters alone beside the points of a narrow plot, and the axis beside its amounts', () => {
    const texts = (options: Options) =>
      drawn('Why these commitment levels', options).data.at(-1)?.text as string[];
    expect(texts(narrow)).toEqual(texts(wide).map((text) => text.slice(0, 1)));
    expect(texts(wide)[0]).toMatch(/^[A-F] {2}\d+%, /);
    const zero = told('Why these commitment levels');
    const [dot] = zero.dots.map((one) => ({ ...one, at: 0 }));
    const series = zero.series.map((one) => ({ ...one, at: [0], values: one.values.slice(0, 1) }));
    const only = toldFigure({ ...zero, series, dots: dot ? [dot] : [] }, wide).data.at(-1);
    expect(only?.textposition).toEqual(['bottom right']);
    const { layout } = drawn('Why these commitment levels', francs);
    const ticks = (layout.yaxis?.ticktext ?? []) as string[];
    expect(layout.margin?.l).toBeGreaterThan(Math.max(...ticks.map(width)) + 20);
  });
});

describe('steps and swings', () => {
  it('write no amount over the names of the steps', () => {
    const figure = drawn('Why the difference', narrow);
    const [bars] = barsOf(figure);
    const [low, high] = rangeOf(figure);
    bars?.x.forEach((length, at) => {
      const end = (bars.base[at] ?? 0) + length;
      if (length < 0 && end < low + (high - low) * 0.25) expect(bars.textposition[at]).toBe('none');
    });
    const turned = figure.data[1] as unknown as Bars | undefined;
    const hidden = bars?.textposition.filter((place) => place === 'none').length;
    expect(turned?.text.length ?? 0).toBe(hidden);
  });

  it('hold the values at the ends of the bars inside the plot', () => {
    const figure = told('What moves the answer');
    const longest = figure.series.map((one) => ({
      ...one,
      texts: one.texts.map(() => '$1.50 k/rack-month'),
    }));
    const drawing = toldFigure({ ...figure, series: longest }, narrow);
    const [low, high] = rangeOf(drawing);
    const { x, text, textposition } = drawing.data.at(-1) as unknown as Bars;
    x.forEach((place, at) => {
      const reach = ((text[at]?.length ?? 0) * 6 * (high - low)) / 240;
      if (textposition[at] === 'middle left') expect(place - reach).toBeGreaterThanOrEqual(low);
      else expect(place + reach).toBeLessThanOrEqual(high);
    });
  });

  it('have room for the names of inputs', () => {
    const { layout } = drawn('What moves the answer');
    // Letters as wide as those of "Headroom: maximum capacity…".
    expect(layout.margin?.l).toBeGreaterThan(28 * 7);
    const left = (name: string) => drawn(name, narrow).layout.margin?.l ?? 0;
    expect(left('What moves the answer')).toBeGreaterThan(17 * 7.5);
    expect(left('Why the difference')).toBeGreaterThan(14 * 7.5);
  });

  it('print a table that adds up', () => {
    const { table } = drawn('Why the difference');
    expect(table.printed?.[1]).toEqual(told('Why the difference').row_notes);
    expect(table.printed?.[2]?.at(-1)).toBe(table.printed?.[1]?.at(-1));
  });
});

describe('points of designs', () => {
  it('stand with their letters and what they may be off, joined where nothing beats them', () => {
    const figure = toldFigure(told('Cost against the rest', 'Carbon'), narrow);
    const [line, ...points] = figure.data;
    expect(line?.line?.shape).toBe('hv');
    const texts = points.flatMap(({ text }) => text ?? []).join('');
    for (const { name } of points) expect(texts).toContain(`<b>${name}</b>`);
    expect(points.every((point) => 'error_y' in point)).toBe(true);
  });
});

describe('labels', () => {
  it('of the ends of lines stand apart where values are below zero', () => {
    const figure = told('Cumulative cost');
    const below = figure.series.map((one, at) => ({
      ...one,
      values: one.values.map((value, place) =>
        place === one.values.length - 1 ? -at : (value ?? 0) - 5e7,
      ),
    }));
    const { data } = toldFigure({ ...figure, series: below }, wide);
    const ends = data.find(({ name }) => name === 'Ends') as unknown as Bars;
    const sorted = [...ends.y].sort((a, b) => a - b);
    expect(sorted.length).toBeGreaterThan(1);
    for (const [at, y] of sorted.slice(1).entries())
      expect(y - (sorted[at] ?? 0)).toBeGreaterThan(0.06 * 5e7 * 0.9);
  });

  it('of a tornado stand outside of its bars', () => {
    const figure = told('What moves the answer');
    const base = figure.series[0]?.base[0] ?? 0;
    for (const [low, high] of [
      [1, 3],
      [3, 1],
      [-1, -3],
      [-3, -1],
      [2, 2],
      [-1, 2],
    ] as const) {
      const series = figure.series.map((one, at) => ({
        ...one,
        values: one.values.map(() => base + (at === 0 ? low : high)),
      }));
      const { data } = toldFigure({ ...figure, series }, wide);
      const values = data.find(({ name }) => name === 'Values') as unknown as Bars;
      const [from, to] = [Math.min(0, low, high), Math.max(0, low, high)];
      for (const [at, x] of values.x.entries()) {
        const isLeft = values.textposition[at] === 'middle left';
        expect(isLeft ? x - base <= from : x - base >= to).toBe(true);
      }
    }
  });
});
