import type { Annotations } from 'plotly.js';
import { inkColor } from '../../lib/color';
import type { Figure, Legend, Trace } from '../../lib/figure';
import { percent, range } from '../../lib/format';
import { plotText, short, wrapped } from '../../lib/plotting';
import { designLook, palette } from '../../lib/tokens';
import { fillsOf } from './roles';
import type { ToldFigure } from './told';
import { axisOf } from './told-axis';
import { bars, errorOf, numbers, rowsAxis, textOf, type Options, type Series } from './told-rows';

type Drawn = Pick<Figure, 'data' | 'layout' | 'legend'>;

/** What a design is called, without its letter. */
const titleOf = ({ rows, row_roles: roles }: ToldFigure, at: number) =>
  (rows[at] ?? '').replace(`${roles[at] ?? ''}, `, '');

// Characters of a line beside a bar.
const NAME_MOST = 20;

/** One row per design, the first on top, each by its letter and title. */
function designAxis(of: ToldFigure, { theme, narrow }: Options): Figure['layout'] {
  const { row_roles: letters } = of;
  return {
    bargap: 0.4,
    margin: { l: narrow ? 28 : 164, r: 24, t: 8, b: 40 },
    yaxis: rowsAxis(
      letters.map((letter, at) => {
        const chip = `<b style="color:${designLook(letter, theme).color}">${letter}</b>`;
        return narrow ? chip : `${chip} ${wrapped(titleOf(of, at), NAME_MOST)}`;
      }),
      [0.55, 0.55],
    ),
  };
}

interface Piece {
  one: Series;
  at: number;
  value: number;
  from: number;
  color: string;
}

/** Where each piece of each bar begins: what adds to the right of zero, what takes to the left. */
function piecesOf(series: readonly Series[], { rows }: ToldFigure, { theme }: Options): Piece[] {
  const above = rows.map(() => 0);
  const below = rows.map(() => 0);
  const colors = fillsOf(series, theme);
  return series.flatMap((one, place) =>
    one.values.map((known, at) => {
      const value = known ?? 0;
      const level = value < 0 ? below : above;
      const from = level[at] ?? 0;
      level[at] = from + value;
      return { one, at, value, from, color: colors[place] ?? '' };
    }),
  );
}

// Widths in pixels: of a character of a label, and of the plot as it usually is.
const CHARACTER = 6;
const PLOT = { narrow: 300, wide: 960 };

/** The name of a cause where its piece is long enough for it; a smaller letter would not be read. */
function labelOf({ one, value }: Piece, span: number, { narrow }: Options): string {
  if (!one.role.includes('/') || one.role.startsWith('tint/')) return '';
  const width = (value / (span || 1)) * (narrow ? PLOT.narrow : PLOT.wide);
  return width > one.name.length * CHARACTER + 8 ? plotText(one.name) : '';
}

/** One trace, the pieces series by series, since twenty would draw several times slower. */
function stack(pieces: readonly Piece[], of: ToldFigure, options: Options): Trace {
  const { theme, currency } = options;
  const sums = of.rows.map((_, at) =>
    of.series.reduce((sum, one) => sum + (one.style === 'range' ? 0 : (one.values[at] ?? 0)), 0),
  );
  const { low, high } = reachOf(pieces);
  return {
    type: 'bar',
    orientation: 'h',
    name: of.name,
    y: pieces.map(({ at }) => at),
    x: pieces.map(({ value }) => value),
    base: pieces.map(({ from }) => from),
    marker: {
      color: pieces.map(({ color }) => color),
      line: { width: 1, color: palette[theme].background },
    },
    text: pieces.map((piece) => labelOf(piece, high - low, options)),
    textposition: 'inside',
    insidetextanchor: 'middle',
    textangle: 0,
    constraintext: 'inside',
    insidetextfont: {
      size: 11,
      color: pieces.map(({ color }) => inkColor(color)),
    },
    hovertext: pieces.map(
      ({ one, at, value }) =>
        `<b>${of.row_roles[at]}, ${plotText(one.name)}</b><br>` +
        `${textOf(of.along, value, currency)}, ${percent(value / (sums[at] ?? 1))}`,
    ),
    hoverinfo: 'text',
  };
}

/** From the end of the longest bar below zero to that of the longest above it. */
function reachOf(pieces: readonly Piece[]): { low: number; high: number } {
  const ends = pieces.map(({ from, value }) => from + value);
  return { low: Math.min(0, ...ends) * 1.02, high: Math.max(0, ...ends) };
}

/** A part by its name, and its side where both have one of that name. */
function legendOf(parts: readonly Series[], { theme }: Options): Legend['entries'] {
  const colors = fillsOf(parts, theme);
  const isOfBoth = ({ name }: Series) => parts.filter((one) => one.name === name).length > 1;
  return parts.map((one, at) => ({
    id: one.role || one.name,
    label: isOfBoth(one) ? `${one.name}, ${one.role.split('/')[0]}` : one.name,
    color: colors[at] ?? '',
  }));
}

/** Lines from the lowest to the highest estimate, and a mark where there is only that. */
function whiskers(of: ToldFigure, one: Series, { theme, currency }: Options): Trace {
  const rows = of.rows.flatMap((_, at) => {
    const [low, high] = [one.low[at] ?? null, one.high[at] ?? null];
    if (low === null || high === null) return [];
    const value = one.values[at] ?? null;
    return [{ at, low, high, value, middle: value ?? (low + high) / 2 }];
  });
  const said = (value: number | null, ends: string) =>
    value === null ? `estimate, ${ends}` : `${textOf(of.along, value, currency)} (${ends})`;
  return {
    type: 'scatter',
    mode: 'markers',
    name: one.name,
    showlegend: false,
    x: rows.map(({ middle }) => middle),
    y: rows.map(({ at }) => at),
    marker: {
      size: rows.map(({ value }) => (value === null ? 7 : 1)),
      color: palette[theme].text,
      symbol: 'line-ns',
    },
    ...errorOf(
      'x',
      {
        ...one,
        values: rows.map(({ middle }) => middle),
        low: rows.map(({ low }) => low),
        high: rows.map(({ high }) => high),
      },
      palette[theme].muted,
      { thickness: 1.5, width: 5 },
    ),
    hovertext: rows.map(({ value, low, high }) =>
      said(value, range(low, high, of.along.unit, currency)),
    ),
    hoverinfo: 'text',
  };
}

/** An em dash with the reason where a design has no number. */
function unknownNotes({ row_reasons: reasons }: ToldFigure, { theme }: Options) {
  return reasons.flatMap((reason, at): Partial<Annotations>[] =>
    reason
      ? [
          {
            x: 0,
            y: at,
            xanchor: 'left',
            xshift: 4,
            text: `— <span style="font-size:11px">${plotText(short(reason, 48))}</span>`,
            hovertext: plotText(reason),
            showarrow: false,
            font: { size: 12, color: palette[theme].muted },
          },
        ]
      : [],
  );
}

/** What stands beneath each bar, such as what is left at the end, which is no piece of it. */
function notesBeneath({ row_notes: notes }: ToldFigure, { theme }: Options) {
  return notes.map((note, at): Partial<Annotations> => ({
    x: 0,
    // The lower edge of a bar that leaves two fifths of its row free.
    y: at + 0.3,
    xanchor: 'left',
    yanchor: 'top',
    text: plotText(note),
    showarrow: false,
    font: { size: 11, color: palette[theme].muted },
  }));
}

/** Bars of which each is of a design: in its colour, or of pieces that a legend takes out. */
export function designBars(of: ToldFigure, options: Options): Drawn {
  const { narrow } = options;
  const parts = of.series.filter(({ style }) => style !== 'range');
  const ranges = of.series.filter(({ style }) => style === 'range');
  const axis = designAxis(of, options);
  const xaxis = (reach: { low: number; high: number }) => ({
    ...axisOf(of.along, [reach.low, reach.high || 1], {
      ...options,
      zero: true,
      room: 0.04,
      count: narrow ? 2 : 4,
    }),
    showgrid: true,
  });
  if (parts.length === 1) {
    const last = Math.max(...of.along.ticks, ...numbers(parts[0]?.values ?? []));
    const layout = {
      ...axis,
      xaxis: { ...xaxis({ low: 0, high: last }), range: [0, last * (narrow ? 1.16 : 1.08)] },
    };
    return { ...bars(of, options), layout };
  }
  const spans = ranges.map((one) => whiskers(of, one, options));
  const drawn = (shown: readonly Series[]) => [
    stack(piecesOf(shown, of, options), of, options),
    ...spans,
  ];
  const { low, high } = reachOf(piecesOf(parts, of, options));
  const ends = numbers(ranges.flatMap((one) => one.high));
  return {
    data: drawn(parts),
    legend: {
      entries: legendOf(parts, options),
      without: (hidden) => drawn(parts.filter(({ role, name }) => !hidden.has(role || name))),
    },
    layout: {
      ...axis,
      barmode: 'overlay',
      margin: { ...axis.margin, t: ranges.length > 0 ? 24 : 8 },
      xaxis: xaxis({ low, high: Math.max(high, ...ends) }),
      annotations: [...unknownNotes(of, options), ...notesBeneath(of, options)],
    },
  };
}

/** How far each design's value may be off: a bar from low to high, with a mark at the middle. */
export function designRanges(of: ToldFigure, options: Options): Drawn {
  const { rows, row_roles: letters, along, series } = of;
  const { theme, currency, narrow } = options;
  const axis = designAxis(of, options);
  const colors = letters.map((letter) => designLook(letter, theme).color);
  const places = rows.map((_, at) => at);
  const ends = series.flatMap((one) => numbers([...one.low, ...one.high]));
  const said = (value: number | null | undefined) => textOf(along, value ?? null, currency);
  return {
    data: series.flatMap((one): Trace[] => [
      {
        type: 'bar',
        orientation: 'h',
        name: 'P10–P90',
        y: places,
        base: numbers(one.low),
        x: places.map((at) => (one.high[at] ?? 0) - (one.low[at] ?? 0)),
        width: 0.4,
        marker: { color: colors, opacity: 0.35 },
        hovertext: rows.map(
          (row, at) =>
            `<b>${plotText(row)}</b><br>P10 ${said(one.low[at])}, ` +
            `${one.name} ${said(one.values[at])}, P90 ${said(one.high[at])}`,
        ),
        hoverinfo: 'text',
      },
      {
        type: 'scatter',
        mode: 'text+markers',
        name: one.name,
        y: places,
        x: numbers(one.values),
        text: one.values.map((value) => `${said(value)}<br><br><br>`),
        textposition: 'middle center',
        textfont: { size: 12, color: palette[theme].text },
        marker: { size: 10, symbol: 'line-ns', color: colors, line: { width: 3, color: colors } },
        hoverinfo: 'skip',
      },
    ]),
    layout: {
      ...axis,
      margin: { ...axis.margin, b: 48 },
      xaxis: {
        ...axisOf(along, ends, { ...options, room: 0.04, count: narrow ? 3 : 6 }),
        showgrid: true,
      },
      yaxis: { ...axis.yaxis, range: [rows.length - 0.4, -0.7] },
    },
  };
}
