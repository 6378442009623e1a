import result from '../../../../../backend/reports/tests/fixtures/comparison.json';
import drawn from '../../../../../backend/reports/tests/fixtures/figures.json';
import examples from '../../../../../backend/reports/tests/fixtures/numbers.json';
import type { Comparison } from '../../../lib/comparison';
import type { Figure, Trace } from '../../../lib/figure';
import { quantity } from '../../../lib/format';
import { binding } from './binding';
import { causes } from './causes';
import { cumulative } from './cumulative';
import { carbon, energy } from './energy';
import { odds } from './odds';
import { defaultPair } from './options';
import { tornado } from './tornado';
import { waterfall } from './waterfall';

/** What the PDF draws of the same result: `python -m reports.tests.series` writes it. */
interface Drawn {
  title: string;
  summary: string;
  series: { name: string; colors: string[]; values: number[] }[];
  marks: { x: number; y: number; label: string }[];
  steps: [string, number, number, string][];
  center: number;
  swings: [string, string, string, number, number][];
}

const comparison = result as unknown as Comparison;
const page = drawn as unknown as Record<string, Drawn>;
const options = { theme: 'light' as const, currency: comparison.currency, narrow: false };
const pair = { ...options, ...defaultPair(comparison) };

const untagged = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

function colorsOf(trace: Trace): string[] {
  const found = trace as { line?: { color?: string }; marker?: { color?: string | string[] } };
  const color = found.marker?.color ?? found.line?.color ?? [];
  return [...new Set([color].flat())];
}

function seriesOf(traces: Trace[], value: 'x' | 'y') {
  return traces.map((trace) => ({
    name: untagged(String(trace.name)),
    colors: colorsOf(trace),
    values: (trace as unknown as Record<string, number[]>)[value],
  }));
}

function expectSaid(figure: Figure, drawn: Drawn | undefined) {
  expect(figure.title).toBe(drawn?.title);
  expect(figure.summary).toBe(drawn?.summary);
}

describe('the screen and the PDF draw the same', () => {
  it('cumulative cost, with the break-even', () => {
    const figure = cumulative(comparison, {
      ...pair,
      discounted: comparison.ranked_by === 'present_value',
    });
    expectSaid(figure, page.cumulative);
    const lines = figure.data.filter(
      (trace) => /^[A-H], /.test(String(trace.name)) && !isBand(trace),
    );
    expect(seriesOf(lines, 'y')).toEqual(page.cumulative?.series);
    const dots = figure.data.filter((trace) => trace.name === 'Break-even') as Trace[];
    const marks = dots.map((dot) => {
      const { x, y, text } = dot as unknown as { x: number[]; y: number[]; text: string[] };
      return { x: x[0], y: y[0], label: text[0] };
    });
    expect(marks).toEqual(page.cumulative?.marks);
  });

  it.each([
    ['energy', energy],
    ['carbon', carbon],
  ] as const)('%s by cause', (name, draw) => {
    const figure = draw(comparison, options);
    expectSaid(figure, page[name]);
    const bars = figure.data.filter((trace) => trace.type === 'bar');
    expect(seriesOf(bars, 'x')).toEqual(page[name]?.series);
  });

  it('cost by cause, the pieces cause by cause', () => {
    const figure = causes(comparison, options);
    expectSaid(figure, page.causes);
    const [bar] = figure.data as unknown as { x: number[]; marker: { color: string[] } }[];
    const count = comparison.designs.length;
    const series = figure.table.rows.slice(0, -1).map(([name], at) => {
      const own = { from: at * count, to: (at + 1) * count };
      const colors = [...new Set(bar?.marker.color.slice(own.from, own.to))];
      return { name, colors, values: bar?.x.slice(own.from, own.to) };
    });
    expect(series).toEqual(page.causes?.series);
  });

  it('what binds', () => {
    const figure = binding(comparison, options);
    expectSaid(figure, page.binding);
    expect(seriesOf(figure.data, 'y')).toEqual(page.binding?.series);
  });

  it('odds', () => {
    const figure = odds(comparison, options);
    if (!figure) throw new Error('The shared comparison has odds.');
    expectSaid(figure, page.odds);
    expect(seriesOf(figure.data, 'x').map(({ colors, values }) => ({ colors, values }))).toEqual(
      page.odds?.series.map(({ colors, values }) => ({ colors, values })),
    );
  });

  it('the waterfall between the two designs', () => {
    const figure = waterfall(comparison, pair);
    if (!figure) throw new Error('The shared comparison has two designs.');
    expectSaid(figure, page.waterfall);
    const [bar] = figure.data as unknown as { x: number[]; base: number[]; text: string[] }[];
    const steps = page.waterfall?.steps ?? [];
    expect(bar?.text).toEqual(steps.map((step) => step[3]));
    steps.forEach((step, at) => {
      expect(bar?.base[at]).toBeCloseTo(step[1], 4);
      expect(bar?.x[at]).toBeCloseTo(step[2], 4);
    });
    const labels = figure.table.rows.slice(1, -1).map((row) => row[0]);
    expect(labels).toEqual(steps.slice(1, -1).map((step) => step[0]));
  });

  it('the tornado', () => {
    const figure = tornado(comparison, options);
    if (!figure) throw new Error('The shared comparison has a tornado.');
    expectSaid(figure, page.tornado);
    const rows = figure.table.rows.map(([label, , low, high, atLow, atHigh]) => [
      label,
      low,
      high,
      atLow,
      atHigh,
    ]);
    expect(rows).toEqual(page.tornado?.swings);
  });

  it.each(examples)('writes $value $unit as $text', ({ value, unit, text }) => {
    expect(quantity(value, unit).replaceAll('\u00a0', ' ')).toBe(text);
  });
});

function isBand(trace: Trace): boolean {
  return 'fill' in trace;
}
