import { labelRoom, niceStep } from '../../lib/axis';
import type { Figure, Trace } from '../../lib/figure';
import { quantity, type Currency } from '../../lib/format';
import { plotText, short, wrapped } from '../../lib/plotting';
import { designLook, palette, type Theme } from '../../lib/tokens';
import { fillsOf, lookOf } from './roles';
import type { ToldFigure } from './told';
import { axisOf } from './told-axis';

export interface Options {
  theme: Theme;
  narrow: boolean;
  /** What amounts are written in; US dollars without one. */
  currency: Currency | undefined;
  /** Of the whole picture, in pixels; of names at the ends of lines, none covers another. */
  height?: number;
}

export type Series = ToldFigure['series'][number];
export type Axis = ToldFigure['along'];
type Drawn = Pick<Figure, 'data' | 'layout'>;

/** More rows are drawn close together; of still more, every fifth is named. */
export const MANY_ROWS = 12;
export const CROWDED_ROWS = 30;
export const UNTITLED: Axis = {
  title: '',
  unit: '',
  is_log: false,
  from_zero: true,
  ticks: [],
  ticks_said: [],
};
export const SYMBOLS = ['circle', 'square', 'diamond', 'cross', 'x'] as const;

export const numbers = (values: readonly (number | null)[]) =>
  values.filter((value): value is number => value !== null);

export const textOf = (axis: Axis, value: number | null, currency: Currency | undefined) =>
  quantity(value, axis.unit, currency);

export const kindOf = ({ kinds }: Series, at: number) =>
  kinds[at] === undefined ? '' : `<br>${plotText(kinds[at])}`;

/** Marks say what points are, where a figure tells kinds of them apart. */
export const symbolsOf = ({ kinds: all }: ToldFigure, { kinds }: Series) =>
  kinds.length > 0
    ? kinds.map((kind) => SYMBOLS[Math.max(0, all.indexOf(kind))] ?? 'circle')
    : undefined;

/** How far values may be off, as bars at their marks. */
export function errorOf(
  axis: 'x' | 'y',
  { values, low, high }: Series,
  color: string,
  look = { thickness: 2, width: 0 },
): Partial<Trace> {
  if (low.length === 0) return {};
  const off = (ends: Series['low']) =>
    values.map((value, at) => Math.abs((ends[at] ?? value ?? 0) - (value ?? 0)));
  const error = { array: off(high), arrayminus: off(low), color, ...look };
  return { [`error_${axis}`]: { type: 'data', symmetric: false, ...error } };
}

/** Rows down the page, the first on top, each with its name, some with none; room past the ends. */
export const rowsAxis = (
  names: readonly (string | null)[],
  [above, below] = [0.6, 0.6],
): Figure['layout']['yaxis'] => ({
  tickmode: 'array',
  tickvals: names.flatMap((name, at) => (name === null ? [] : [at])),
  ticktext: names.filter((name) => name !== null),
  range: [names.length - 1 + below, -above],
  showgrid: false,
});

/** Each row with its name, or every fifth where there are very many that are not tall. */
function rowAxis(rows: readonly string[], length: number, areTall = false) {
  const name = (row: string) =>
    rows.length > MANY_ROWS && !areTall ? plotText(short(row, length)) : wrapped(row, length);
  const isNamed = (at: number) => areTall || rows.length <= CROWDED_ROWS || at % 5 === 0;
  return rowsAxis(rows.map((row, at) => (isNamed(at) ? name(row) : null)));
}

/** Names of rows that take two lines, for which their rows are tall enough. */
export const areLong = (rows: readonly string[]) => rows.some((row) => row.length > 30);

interface Word {
  x: number;
  y: number;
  text: string;
}

/** Words beside places of a plot, in one trace, which draws faster than labels do. */
export const words = (
  name: string,
  at: readonly Word[],
  color: string | string[],
  { size = 12, textposition = 'middle right' as string | string[] } = {},
): Trace => ({
  type: 'scatter',
  mode: 'text',
  name,
  showlegend: false,
  x: at.map(({ x }) => x),
  y: at.map(({ y }) => y),
  text: at.map(({ text }) => text),
  textposition,
  textfont: { size, color },
  cliponaxis: false,
  hoverinfo: 'skip',
});

/** Bars from zero, one a row, split or side by side where there is more than one series. */
export function bars(of: ToldFigure, { theme, narrow, currency }: Options): Drawn {
  const { rows, series, along, row_notes: notes } = of;
  const split = series.length > 1;
  const [first] = series;
  const colors = split || first?.role ? fillsOf(series, theme) : [designLook('A', theme).color];
  const ofDesigns = of.row_roles.map((letter) => designLook(letter, theme).color);
  const ends = rows.map((_, at) => series.map(({ values }) => values[at] ?? 0));
  const high =
    of.kind === 'stacked' ? ends.map((own) => own.reduce((sum, one) => sum + one, 0)) : ends.flat();
  return {
    data: [
      ...series.map(({ name, values }, at): Trace => ({
        type: 'bar',
        orientation: 'h',
        name: plotText(name),
        y: rows.map((_, place) => place),
        x: values.map((value) => value ?? 0),
        marker: {
          color: ofDesigns.length > 0 ? ofDesigns : colors[at],
          // A thin edge between pieces, so that neighbours of like tone stay apart.
          ...(split && { line: { color: palette[theme].background, width: 1 } }),
        },
        ...(split
          ? {}
          : {
              text: values.map((value) => textOf(along, value, currency)),
              textposition: 'outside',
            }),
        cliponaxis: false,
        hovertext: rows.map(
          (row, place) =>
            `<b>${plotText(row)}</b><br>${plotText(name)}: ${textOf(along, values[place] ?? null, currency)}`,
        ),
        hoverinfo: 'text',
      })),
      ...(notes.length > 0 ? [endNotes(notes, high, theme)] : []),
    ],
    layout: {
      barmode: of.kind === 'stacked' ? 'stack' : 'group',
      margin: { l: narrow ? 104 : 176, r: split ? 16 : 64, t: 12, b: 44 },
      showlegend: split,
      ...(rows.length > MANY_ROWS && { bargap: rows.length > CROWDED_ROWS ? 0 : 0.08 }),
      xaxis: {
        ...axisOf(along, high, { zero: true, currency }),
        showgrid: true,
        // Room for the words that stand beside the longest bar.
        ...(notes.length > 0 && { range: [0, Math.max(...high) * (narrow ? 2.4 : 2)] }),
      },
      yaxis: rowAxis(rows, narrow ? 13 : 24),
    },
  };
}

/** Words at the ends of bars. */
const endNotes = (notes: readonly string[], ends: readonly number[], theme: Theme) =>
  words(
    'Totals',
    notes.map((text, y) => ({ x: ends[y] ?? 0, y, text: `  ${plotText(text)}` })),
    palette[theme].text,
  );

const LABELLED_MOST = 12;
/** The room of the title beside an axis. */
export const TITLE_PX = 20;

const BINDS = ' ●';

/** What is written over the columns of a series; what binds stands bold below its mark. */
const textsOver = ({ texts }: Series, theme: Theme): Partial<Trace> => ({
  text: texts.map((text) =>
    text.endsWith(BINDS) ? `<b>●<br>${plotText(text.replace(BINDS, ''))}</b>` : plotText(text),
  ),
  textposition: 'outside',
  constraintext: 'none',
  cliponaxis: false,
  textfont: { size: 11, color: palette[theme].muted },
});

function limitLine(limit: number, theme: Theme): Figure['layout'] {
  const at = { type: 'line' as const, xref: 'paper' as const, x0: 0, x1: 1, y0: limit, y1: limit };
  return { shapes: [{ ...at, line: { color: palette[theme].bad, width: 1, dash: 'dot' } }] };
}

/** Columns side by side, one group a row; marks over them where a series has those. */
export function columns(of: ToldFigure, { theme, narrow, currency }: Options): Drawn {
  const { rows, series, along, across, limit } = of;
  const all = series.flatMap(({ values }) => numbers(values));
  const isOne = series.length === 1 && rows.length <= LABELLED_MOST;
  const said = (one: Series) =>
    rows.map(
      (row, at) =>
        `<b>${plotText(row)}</b><br>${plotText(one.name)}: ${textOf(along, one.values[at] ?? null, currency)}`,
    );
  const yaxis = axisOf(along, all, { zero: true, currency });
  const isNamed = series.some(({ texts }) => texts.length > 0);
  const top = Math.max(limit ?? 0, ...all);
  const room = labelRoom(yaxis.ticktext as string[], 44) + TITLE_PX;
  const every = Math.ceil(rows.length / (narrow ? 6 : 13));
  const shown = rows.map((_, at) => at).filter((at) => at % every === 0);
  return {
    data: series.map((one, place): Trace => {
      const { color } = lookOf(one, place, theme);
      const own = {
        name: plotText(one.name),
        x: rows.map((_, at) => at),
        y: one.values as number[],
      };
      const hover = { hovertext: said(one), hoverinfo: 'text' as const };
      if (one.style === 'dots') {
        const marker = { symbol: 'line-ew-open', size: 9, color: palette[theme].muted };
        return { type: 'scatter', mode: 'markers', ...own, ...hover, marker };
      }
      return {
        type: 'bar',
        ...own,
        marker: { color },
        width: isOne && rows.length < 3 ? 0.3 : undefined,
        ...(isOne && {
          text: one.values.map((value) => textOf(along, value, currency)),
          textposition: 'outside',
          cliponaxis: false,
        }),
        ...(isNamed && { ...textsOver(one, theme), y: one.values.map((value) => value ?? 0) }),
        hovertext: hover.hovertext,
        hoverinfo: 'text',
      };
    }),
    layout: {
      barmode: 'group',
      margin: { l: room, r: 16, t: isOne ? 20 : 12, b: 44 },
      ...(limit !== null && limitLine(limit, theme)),
      ...(isNamed && { bargap: 0.3, bargroupgap: 0.12 }),
      showlegend: series.length > 1 && !isNamed,
      xaxis: {
        title: { text: across?.title ?? '' },
        tickmode: 'array',
        tickvals: shown,
        ticktext: shown.map((at) => plotText(rows[at] ?? '')),
        tickangle: 0,
        range: [-0.6, rows.length - 0.4],
        showgrid: false,
      },
      yaxis: isNamed ? { ...yaxis, range: [0, top * 1.18] } : yaxis,
    },
  };
}

/** The far end: the highest value, and intervals as far as they help to tell values apart. */
function farthest(values: readonly number[], ends: readonly number[]): number {
  const middle = [...ends].sort((a, b) => a - b)[Math.floor(ends.length / 2)] ?? 0;
  return Math.max(...values, Math.min(Math.max(...values, middle) * 1.5, Math.max(...ends))) || 1;
}

/** Marks with how far they may be off, one a row. */
export function ranges(of: ToldFigure, { theme, narrow, currency }: Options): Drawn {
  const { rows, series, along } = of;
  const values = series.flatMap((one) => numbers(one.values));
  const ends = series.flatMap((one) => numbers(one.high));
  const lowest = Math.min(0, ...values, ...series.flatMap((one) => numbers(one.low)));
  const highest = farthest(values, ends);
  // A value below zero has a tick at or below it, and some room to the labels of the rows.
  const step = niceStep(highest - lowest);
  const floor = Math.floor(lowest / step) * step;
  const room: [number, number] = [lowest < 0 ? 0.04 : 0, 0.08];
  const hasLong = areLong(rows);
  return {
    data: series.map((one, place): Trace => {
      const { color, marker } = lookOf(one, place, theme);
      return {
        type: 'scatter',
        mode: 'markers',
        name: plotText(one.name),
        x: one.values as number[],
        y: rows.map((_, at) => at),
        ...errorOf('x', one, color),
        marker: {
          color,
          ...(one.role ? { symbol: marker, size: 10, line: { color, width: 2 } } : { size: 9 }),
        },
        hovertext: rows.map((row, at) => {
          const [value, low, high] = [one.values, one.low, one.high].map((own) =>
            textOf(along, own[at] ?? null, currency),
          );
          const within = one.low.length > 0 ? ` (${low} to ${high})` : '';
          return `<b>${plotText(row)}</b><br>${plotText(one.name)}: ${value}${within}${kindOf(one, at)}`;
        }),
        hoverinfo: 'text',
        cliponaxis: false,
      };
    }),
    layout: {
      margin: {
        l: hasLong ? (narrow ? 144 : 336) : narrow ? 116 : 208,
        r: 16,
        t: 24,
        b: narrow ? 60 : 44,
      },
      showlegend: series.length > 1,
      xaxis: {
        ...axisOf(along, [floor, highest], { zero: true, narrow, currency, room }),
        title: { text: narrow ? wrapped(along.title, 26) : plotText(along.title) },
      },
      yaxis: rowAxis(rows, hasLong ? (narrow ? 18 : 48) : narrow ? 13 : 24, hasLong),
    },
  };
}
