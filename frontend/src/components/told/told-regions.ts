import { inkColor } from '../../lib/color';
import type { Figure, Trace } from '../../lib/figure';
import { plotText, sampled, short } from '../../lib/plotting';
import { palette } from '../../lib/tokens';
import type { ToldFigure } from './told';
import { ownTicks } from './told-axis';
import { placeOf } from './told-lines';
import { UNTITLED, words, type Axis, type Options, type Series } from './told-rows';

type Dot = ToldFigure['dots'][number];

/** A logarithmic axis on which cells stand around their values. */
function cellAxis(axis: Axis, values: readonly number[], most: number) {
  const logs = values.map((value) => Math.log10(value));
  const half = logs.length > 1 ? ((logs[1] ?? 0) - (logs[0] ?? 0)) / 2 : 0.5;
  return {
    type: 'log' as const,
    range: [(logs[0] ?? 0) - half, (logs.at(-1) ?? 0) + half],
    ...ownTicks(axis, most),
    showgrid: false,
    title: { text: `${axis.title} (log)` },
  };
}

function cellsOf(
  of: ToldFigure,
  rows: readonly Series[],
  colors: readonly string[],
  currency: Options['currency'],
): Trace {
  const said = (one: Series, at: number) => {
    const [first = '', ...more] = plotText(one.texts[at] ?? '').split('\n');
    const where = `${plotText(one.name)}, ${placeOf(of, one, at, currency)}`;
    return [`<b>${first}</b>`, ...more, where].join('<br>');
  };
  return {
    type: 'heatmap',
    x: [...(rows[0]?.at ?? [])],
    y: [...of.levels],
    z: rows.map(({ values }) => [...values]) as number[][],
    zmin: -0.5,
    zmax: colors.length - 0.5,
    colorscale: colors.flatMap((color, at): [number, string][] => [
      [at / colors.length, color],
      [(at + 1) / colors.length, color],
    ]),
    showscale: false,
    text: rows.map((one) => one.values.map((_, at) => said(one, at))) as unknown as string[],
    hovertemplate: '%{text}<extra></extra>',
  } as Trace;
}

/** Letters that a map has room for from side to side, and that any name may have. */
const LETTERS = { wide: { across: 70, least: 22 }, narrow: { across: 40, least: 14 } };

/** How many letters around a place stay among cells of its kind, as far as they go both ways. */
function roomAt(rows: readonly Series[], levels: readonly number[], dot: Dot, narrow: boolean) {
  const { across, least } = narrow ? LETTERS.narrow : LETTERS.wide;
  const row = rows[levels.indexOf(dot.value)];
  const values = row?.values ?? [];
  const here = row?.at.indexOf(dot.at) ?? -1;
  const isSame = (at: number) => here >= 0 && at in values && values[at] === values[here];
  let aside = 0;
  while (isSame(here - aside - 1) && isSame(here + aside + 1)) aside += 1;
  return Math.max(least, Math.floor((across * (2 * aside + 1)) / Math.max(values.length, 1)));
}

/** A map of which kind is where, with their names, lines over it, and what is chosen. */
export function regions(
  of: ToldFigure,
  { theme, narrow, currency }: Options,
): Pick<Figure, 'data' | 'layout'> {
  const { series, along, across, levels, kinds, dots } = of;
  const rows = series.filter(({ style }) => style !== 'dashes');
  const colors = sampled(kinds.length, theme);
  const named = dots.filter(({ role }) => role !== 'chosen');
  const color = palette[theme].background;
  const most = narrow ? 4 : 9;
  return {
    data: [
      cellsOf(of, rows, colors, currency),
      ...series
        .filter(({ style }) => style === 'dashes')
        .map(({ name, at, values }): Trace => ({
          type: 'scatter',
          mode: 'lines',
          name: plotText(name),
          x: [...at],
          y: [...values] as number[],
          line: { color, width: 2, dash: 'dot' },
          hoverinfo: 'skip',
        })),
      ...dots
        .filter(({ role }) => role === 'chosen')
        .map(({ at, value }): Trace => ({
          type: 'scatter',
          mode: 'markers',
          name: 'Chosen',
          x: [at],
          y: [value],
          marker: { size: 13, symbol: 'circle-open', color, line: { width: 3, color } },
          hoverinfo: 'skip',
        })),
      words(
        'Names',
        named.map((dot) => ({
          x: dot.at,
          y: dot.value,
          text: `<b>${plotText(short(dot.text, roomAt(rows, levels, dot, narrow)))}</b>`,
        })),
        named.map(({ text }) => inkColor(colors[kinds.indexOf(text)] ?? '')),
        { size: narrow ? 11 : 13, textposition: 'middle center' },
      ),
    ],
    layout: {
      margin: { l: 72, r: 12, t: 8, b: 48 },
      showlegend: false,
      xaxis: cellAxis(across ?? UNTITLED, rows[0]?.at ?? [], most),
      yaxis: cellAxis(along, levels, 9),
    },
  };
}
