import { labelRoom, spread } from '../../lib/axis';
import { withAlpha } from '../../lib/color';
import type { Figure, Trace } from '../../lib/figure';
import type { Currency } from '../../lib/format';
import { plotText } from '../../lib/plotting';
import { chartTokens, designLetters, designLook, palette, type Theme } from '../../lib/tokens';
import { fillsOf, lookOf } from './roles';
import type { ToldFigure } from './told';
import { axisOf } from './told-axis';
import {
  errorOf,
  kindOf,
  numbers,
  symbolsOf,
  textOf,
  TITLE_PX,
  UNTITLED,
  words,
  type Options,
  type Series,
} from './told-rows';

type Drawn = Pick<Figure, 'data' | 'layout'>;

const TIME_PX = 28;

function markLines({ marks }: ToldFigure, ends: readonly [number, number], theme: Theme) {
  return marks.map((mark): Trace => ({
    type: 'scatter',
    mode: 'lines',
    name: 'Change',
    showlegend: false,
    x: [mark, mark],
    y: [...ends],
    line: { color: palette[theme].muted, width: 1, dash: 'dot' },
    hoverinfo: 'skip',
  }));
}

/** What the place of a value is called, else where it stands. */
export const placeOf = (
  { series, across }: ToldFigure,
  { names, at }: Series,
  index: number,
  currency: Currency | undefined,
) =>
  plotText(
    (names.length > 0 ? names : series[0]?.names)?.[index] ||
      textOf(across ?? UNTITLED, at[index] ?? series[0]?.at[index] ?? null, currency),
  );

/** Whether a figure names its lines at their ends, or points at places on them. */
const isPointed = ({ series, dots }: ToldFigure) =>
  dots.length > 0 || series.some(({ end }) => end);

/** How far values may be off, as a band under their line. */
function band(one: Series, color: string): Trace[] {
  const ends = one.at.flatMap((x, at) => {
    const [low, high] = [one.low[at] ?? null, one.high[at] ?? null];
    return low === null || high === null ? [] : [{ x, low, high }];
  });
  if (one.style === 'dots' || ends.length === 0) return [];
  const back = ends.toReversed();
  return [
    {
      type: 'scatter',
      mode: 'lines',
      name: plotText(one.name),
      showlegend: false,
      x: [...ends, ...back].map(({ x }) => x),
      y: [...ends.map(({ high }) => high), ...back.map(({ low }) => low)],
      fill: 'toself',
      fillcolor: withAlpha(color, chartTokens.band_opacity),
      line: { width: 0, color, shape: shapeOf(one) },
      hoverinfo: 'skip',
    },
  ];
}

const shapeOf = ({ style }: Series) => (style === 'steps' ? 'hv' : 'linear');

/** Whether only some places of a line have a name, and a mark. */
const marksSome = ({ names }: Series) => names.includes('');

function modeOf(of: ToldFigure, one: Series, second: boolean) {
  if (one.style === 'dots') return 'markers';
  const few = one.values.length < 20 || marksSome(one);
  const isTimed = one.style === 'steps' && of.across?.unit === 'instant';
  const isMarked = isTimed || (of.kind === 'lines' && one.style === 'line' && !isPointed(of));
  return isMarked && few && !second ? 'lines+markers' : 'lines';
}

/** Of areas, what is dashed is a line over them. */
const isStacked = ({ kind }: ToldFigure, { style }: Series) =>
  kind === 'areas' && style !== 'dashes';

function line(of: ToldFigure, one: Series, place: number, options: Options): Trace {
  const { theme, currency } = options;
  const { color, dashPx, marker } = lookOf(one, place, theme);
  const isDots = one.style === 'dots';
  const isArea = isStacked(of, one);
  // A second line of the same design stands back.
  const second = of.series.slice(0, place).some(({ role }) => role && role === one.role);
  const dash = second
    ? 'dot'
    : one.style === 'dashes'
      ? 'dash'
      : dashPx.map((px) => `${px}px`).join(',') || 'solid';
  const width = chartTokens.line_px + (one.name === of.best ? 1 : 0);
  return {
    type: 'scatter',
    mode: modeOf(of, one, second),
    cliponaxis: false,
    name: plotText(one.name),
    x: [...one.at],
    y: one.values as number[],
    ...(isArea && { stackgroup: 'one', fillcolor: withAlpha(color, 0.35) }),
    ...(isDots && errorOf('y', one, color)),
    line: {
      color,
      width: isArea || second ? 1 : width,
      dash: (isArea ? 'solid' : dash) as 'solid',
      shape: shapeOf(one),
    },
    marker: {
      size: marksSome(one) ? one.names.map((name) => (name ? 8 : 0)) : isDots ? 9 : 7,
      color,
      symbol: symbolsOf(of, one) ?? (isDots || one.role ? marker : undefined),
    },
    hovertext: one.values.map(
      (value, index) =>
        `<b>${plotText(one.name)}</b><br>${textOf(of.along, value, currency)}<br>` +
        `at ${placeOf(of, one, index, currency)}${kindOf(one, index)}`,
    ),
    hoverinfo: 'text',
  };
}

/** Lines, with a band where they may be off, and the letter of a design where they have one. */
export function lines(of: ToldFigure, options: Options): Drawn {
  const { series, kind } = of;
  const { theme } = options;
  const all = series.flatMap(({ values, low, high }) => numbers([...values, ...low, ...high]));
  const sums = (series[0]?.at ?? []).map((_, at) =>
    series.reduce((sum, one) => sum + (isStacked(of, one) ? (one.values[at] ?? 0) : 0), 0),
  );
  const most = kind === 'areas' ? [0, ...sums, ...all] : all;
  const ends = [Math.min(...most), Math.max(...most)] as const;
  const data = [
    ...series.flatMap((one, place) => band(one, lookOf(one, place, theme).color)),
    ...series.map((one, place) => line(of, one, place, options)),
    ...markLines(of, ends, theme),
    ...(isPointed(of) ? pointed(of, all, options) : lettersOf(of, theme)),
  ];
  return {
    data: of.across?.unit === 'instant' ? data.map(inUtc) : data,
    layout: {
      ...axes(
        of,
        series.flatMap((one) => one.at),
        kind === 'areas' ? most : all,
        options,
      ),
      ...(of.dots.length > 0 && hasEnds(of) && { annotations: [arrowTo(of, all, options)] }),
    },
  };
}

/** Instants as texts of their UTC: Plotly has numbers in the clock of whoever looks. */
const inUtc = (trace: Trace): Trace => ({
  ...trace,
  x: (trace.x as number[]).map((ms) => new Date(ms).toISOString()),
});

const hasEnds = ({ series }: ToldFigure) => series.some(({ end }) => end);
// What a label takes of the plot, whose axis and margins take the rest.
const LABEL_PX = 15;
const MARGINS_PX = 72;
const TALL_PX = 340;
// How far below its place the words of an early one stand.
const BELOW_PX = 36;
// Nearer to an end of the plot than this share of it, words at a place would reach out of it.
const NEAR_END = 0.08;

/** The designs named at the ends of their lines. */
function endsOf({ series }: ToldFigure, all: readonly number[], options: Options): Trace {
  const { theme, height = TALL_PX } = options;
  const last = series.map(({ values }) => values.at(-1) ?? 0);
  const span = Math.max(...all, 0) - Math.min(...all, 0);
  const gap = (span * LABEL_PX) / Math.max(height - MARGINS_PX, LABEL_PX);
  // What stands above all that is drawn would not be drawn.
  const places = spread(last, gap, Math.max(...all, 0));
  return words(
    'Ends',
    series.map(({ at, role, end }, place) => ({
      x: at.at(-1) ?? 0,
      y: places[place] ?? 0,
      text: role ? `  <b>${role}</b> ${end}` : `  ${plotText(end)}`,
    })),
    series.map((one, place) => lookOf(one, place, theme).color),
  );
}

/** The places that a figure points at, each with its words beside it or at the end of an arrow. */
function dotsOf(of: ToldFigure, { theme, narrow }: Options): Trace {
  const { dots } = of;
  const places = [...of.series.flatMap(({ at }) => at), ...dots.map(({ at }) => at)];
  const [low, high] = [Math.min(...places), Math.max(...places)];
  const sideOf = (at: number) => {
    if (at <= low + (high - low) * NEAR_END) return 'right';
    return at >= high - (high - low) * NEAR_END ? 'left' : 'center';
  };
  const colors = dots.map(({ role }) => designLook(role, theme).color);
  return {
    type: 'scatter',
    mode: hasEnds(of) ? 'markers' : 'text+markers',
    name: 'Dots',
    showlegend: false,
    x: dots.map(({ at }) => at),
    y: dots.map(({ value }) => value),
    // A narrow plot has room for letters only; figures stand at the point and in the table.
    text: dots.map(({ role, text }) => (narrow ? role : text)),
    // Neighbours' labels stand on either side of their lines, those at the edges inside the plot.
    textposition: dots.map(
      ({ at }, place) => `${place % 2 === 0 ? 'bottom' : 'top'} ${sideOf(at)}`,
    ),
    textfont: { size: 12, color: colors },
    marker: { size: 10, color: colors, line: { width: 2, color: palette[theme].background } },
    hovertext: dots.map(({ text, means }) => [text, means].filter(Boolean).join('<br>')),
    hovertemplate: '%{hovertext}<extra></extra>',
    cliponaxis: false,
  };
}

const pointed = (of: ToldFigure, all: readonly number[], options: Options): Trace[] => [
  ...(hasEnds(of) ? [endsOf(of, all, options)] : []),
  ...(of.dots.length > 0 ? [dotsOf(of, options)] : []),
];

/**
 * An arrow from words to the place that a figure points at. Lines rise to the right: late words stand
 * above to the left, clear of the names at the lines' ends, early ones below to the right where
 * there is room above the axis.
 */
function arrowTo(
  { dots: [dot], series }: ToldFigure,
  all: readonly number[],
  { theme, height = TALL_PX }: Options,
) {
  const colors = palette[theme];
  const isLate = (dot?.at ?? 0) > Math.max(...series.flatMap(({ at }) => at)) / 2;
  const [low, high] = [Math.min(...all, 0), Math.max(...all, 0)];
  const abovePx = ((high - (dot?.value ?? 0)) / (high - low || 1)) * (height - MARGINS_PX);
  const isAbove = isLate || height - MARGINS_PX - abovePx < BELOW_PX + 12;
  return {
    x: dot?.at ?? 0,
    y: dot?.value ?? 0,
    text: plotText(dot?.text ?? ''),
    showarrow: true,
    arrowhead: 0 as const,
    arrowwidth: 1,
    arrowcolor: colors.muted,
    ax: isLate ? -20 : 20,
    xanchor: isLate ? ('right' as const) : ('left' as const),
    ay: isAbove ? -Math.max(12, Math.min(40, abovePx - 10)) : BELOW_PX,
    standoff: 6,
    font: { size: 12, color: colors.text },
    bgcolor: withAlpha(colors.background, 0.85),
    borderpad: 2,
  };
}

/** The letter of a design at its line: near the middle of a long one, at the end of a short one. */
function lettersOf({ series }: ToldFigure, theme: Theme): Trace[] {
  const first = series.filter(
    ({ role }, at) =>
      designLetters.includes(role) && series.findIndex((one) => one.role === role) === at,
  );
  if (first.length === 0) return [];
  const places = first.map(({ values }, at) =>
    values.length < 20
      ? values.length - 1
      : Math.floor(values.length * (0.3 + (0.4 * (at + 0.5)) / first.length)),
  );
  const letters = first.map((one, at) => ({
    x: one.at[places[at] ?? 0] ?? 0,
    y: one.values[places[at] ?? 0] ?? 0,
    text: `  <b>${one.role}</b>`,
  }));
  const colors = first.map((one, at) => lookOf(one, at, theme).color);
  return [words('Letters', letters, colors, { size: 13 })];
}

/** Values that hold from one place to the next, on top of each other. */
export function steps(of: ToldFigure, { theme, currency }: Options): Drawn {
  const { series, along, across } = of;
  const colors = fillsOf(series, theme);
  const twice = <T>(values: readonly T[]) => values.flatMap((value) => [value, value]);
  const sums = (series[0]?.values ?? []).map((_, at) =>
    series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
  );
  return {
    data: series.map((one, place): Trace => ({
      type: 'scatter',
      mode: 'lines',
      name: plotText(one.name),
      x: twice(one.at).slice(1, -1),
      y: twice(numbers(one.values)),
      stackgroup: 'all',
      fillcolor: colors[place],
      line: { width: 0, color: colors[place] },
      text: twice(one.values.map((value) => textOf(along, value, currency))),
      hovertemplate: `${plotText(one.name)}: %{text}<extra></extra>`,
    })),
    layout: {
      margin: { l: 60, r: 16, t: 12, b: 42 },
      showlegend: true,
      xaxis: {
        title: { text: [across?.title, across?.unit].filter(Boolean).join(', ') },
        range: [0, series[0]?.at.at(-1) ?? 1],
      },
      yaxis: axisOf(along, sums, { zero: true, currency }),
    },
  };
}

export function axes(
  of: ToldFigure,
  xs: readonly number[],
  ys: readonly number[],
  { narrow, currency }: Options,
): Figure['layout'] {
  const { kind, series, along, across } = of;
  const yaxis = axisOf(along, ys, { zero: true, currency });
  const ends = series.map(({ end }) => end).filter(Boolean);
  const past = across?.ticks.length ? TIME_PX : 20;
  return {
    margin: {
      l: labelRoom(yaxis.ticktext as string[], 52) + (along.title ? TITLE_PX : 12),
      r: ends.length > 0 ? labelRoom(ends, 68) + 16 : past,
      t: 12,
      // Ticks of a time have its day below its hours.
      b: across?.unit === 'instant' ? 64 : 48,
    },
    showlegend: series.length > 1 && !isPointed(of),
    xaxis:
      across?.unit === 'instant'
        ? { type: 'date', nticks: narrow ? 5 : 8, title: { text: across.title } }
        : axisOf(across ?? UNTITLED, xs, { zero: kind === 'points', narrow, currency }),
    yaxis,
  };
}
