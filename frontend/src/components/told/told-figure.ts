import { labelRoom } from '../../lib/axis';
import { withAlpha } from '../../lib/color';
import type { Figure, Trace } from '../../lib/figure';
import { plotText, short } from '../../lib/plotting';
import { chartTokens, palette, type Theme } from '../../lib/tokens';
import type { GivenFigure, ToldFigure } from './told';
import { axisOf, ownTicks } from './told-axis';
import {
  bars,
  columns,
  errorOf,
  kindOf,
  look,
  numbers,
  ranges,
  SYMBOLS,
  symbolsOf,
  textOf,
  TITLE_PX,
  type Axis,
  type Options,
  type Series,
} from './told-rows';
import { pointsOf, summaryOf, tableOf, type Point } from './told-twin';

type Drawn = Pick<Figure, 'data' | 'layout'>;

const UNTITLED: Axis = { title: '', unit: '', is_log: false, ticks: [], ticks_said: [] };
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
const placeOf = ({ series, across }: ToldFigure, { names, at }: Series, index: number) =>
  plotText(
    (names.length > 0 ? names : series[0]?.names)?.[index] ??
      textOf(across ?? UNTITLED, at[index] ?? series[0]?.at[index] ?? null),
  );

const formatOf = (axis: Axis | null) => (axis?.unit === 'fraction' ? '.0%' : undefined);

/** A map of a measure over two axes. */
function cells(of: ToldFigure, { theme, narrow }: Options): Drawn {
  const { series, along, across, measure, levels } = of;
  const at = series[0]?.at ?? [];
  const said = (one: Series, place: number) =>
    `<b>${textOf(measure ?? UNTITLED, one.values[place] ?? null)}</b><br>${plotText(one.name)}, ` +
    `${placeOf(of, one, place)} ${across?.title ?? ''}${kindOf(one, place)}`;
  const all = series.flatMap(({ values }) => numbers(values));
  const isShare = measure?.unit === 'fraction';
  const { tickvals, ticktext } = axisOf(measure ?? UNTITLED, all, true);
  return {
    data: [
      {
        type: 'heatmap',
        x: [...at],
        y: [...levels],
        z: series.map(({ values }) => [...values]) as number[][],
        zmin: isShare ? 0 : undefined,
        zmax: isShare ? Math.max(...all, 0.01) : undefined,
        colorscale: 'Viridis',
        reversescale: of.less_is_better,
        showscale: !narrow,
        colorbar: {
          thickness: 10,
          outlinewidth: 0,
          tickmode: 'array',
          tickvals,
          ticktext,
          tickfont: { color: palette[theme].muted },
        },
        text: series.map((one) =>
          one.values.map((_, place) => said(one, place)),
        ) as unknown as string[],
        hovertemplate: '%{text}<extra></extra>',
      } as Trace,
    ],
    layout: {
      margin: {
        l: labelRoom(
          along.ticks_said.map((text) => text.slice(0, 18)),
          72,
        ),
        r: 20,
        t: 12,
        b: 48,
      },
      xaxis: across?.ticks.length
        ? axisOf(across, at, false, narrow)
        : { title: { text: across?.title ?? '' }, tickformat: formatOf(across) },
      yaxis: {
        ...(along.ticks.length > 0 ? ownTicks(along, 16) : { tickformat: formatOf(along) }),
        title: { text: along.title },
        showgrid: false,
      },
    },
  };
}

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
      name: one.name,
      showlegend: false,
      x: [...ends, ...back].map(({ x }) => x),
      y: [...ends.map(({ high }) => high), ...back.map(({ low }) => low)],
      fill: 'toself',
      fillcolor: withAlpha(color, 0.18),
      line: { width: 0, color, shape: shapeOf(one) },
      hoverinfo: 'skip',
    },
  ];
}

const shapeOf = ({ style }: Series) => (style === 'steps' ? 'hv' : 'linear');

function modeOf(of: ToldFigure, { style, values }: Series) {
  if (style === 'dots') return 'markers';
  return of.kind === 'lines' && style === 'line' && values.length < 20 ? 'lines+markers' : 'lines';
}

function line(of: ToldFigure, one: Series, place: number, theme: Theme): Trace {
  const { color, dashPx, marker } = look(place, theme);
  const isDots = one.style === 'dots';
  const isArea = of.kind === 'areas';
  return {
    type: 'scatter',
    mode: modeOf(of, one),
    name: one.name,
    x: [...one.at],
    y: one.values as number[],
    ...(isArea && { stackgroup: 'one', fillcolor: withAlpha(color, 0.35) }),
    ...(isDots && errorOf('y', one, color)),
    line: {
      color,
      width: isArea ? 1 : chartTokens.line_px + (one.name === of.best ? 1 : 0),
      dash: isArea ? 'solid' : ((dashPx.map((px) => `${px}px`).join(',') || 'solid') as 'solid'),
      shape: shapeOf(one),
    },
    marker: {
      size: isDots ? 9 : 7,
      color,
      symbol: symbolsOf(of, one) ?? (isDots ? marker : undefined),
    },
    hovertext: one.values.map(
      (value, index) =>
        `<b>${plotText(one.name)}</b><br>${textOf(of.along, value)}<br>` +
        `at ${placeOf(of, one, index)}${kindOf(one, index)}`,
    ),
    hoverinfo: 'text',
  };
}

function lines(of: ToldFigure, { theme, narrow }: Options): Drawn {
  const { series, kind } = of;
  const all = series.flatMap(({ values, low, high }) => numbers([...values, ...low, ...high]));
  const sums = (series[0]?.at ?? []).map((_, at) =>
    series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
  );
  const ends = [Math.min(...all), Math.max(...all)] as const;
  return {
    data: [
      ...series.flatMap((one, place) => band(one, look(place, theme).color)),
      ...series.map((one, place) => line(of, one, place, theme)),
      ...markLines(of, ends, theme),
    ],
    layout: axes(
      of,
      series.flatMap((one) => one.at),
      kind === 'areas' ? sums : all,
      narrow,
    ),
  };
}

function axes(
  { series, along, across }: ToldFigure,
  xs: readonly number[],
  ys: readonly number[],
  narrow: boolean,
): Figure['layout'] {
  const yaxis = axisOf(along, ys, true);
  return {
    margin: {
      l: labelRoom(yaxis.ticktext as string[], 52) + TITLE_PX,
      r: across?.ticks.length ? TIME_PX : 20,
      t: 12,
      b: 48,
    },
    showlegend: series.length > 1,
    xaxis: axisOf(across ?? UNTITLED, xs, false, narrow),
    yaxis,
  };
}

/** Points whose names do not meet that of another; the best one is always named. */
function namedPoints(points: readonly Point[], best: string | null): Set<string> {
  const spreadOf = (values: number[]) => Math.log(Math.max(...values) / Math.min(...values)) || 1;
  const wide = spreadOf(points.map(({ x }) => x));
  const high = spreadOf(points.map(({ y }) => y));
  const kept: Point[] = [];
  const ordered = [...points].sort((a, b) => Number(b.name === best) - Number(a.name === best));
  for (const point of ordered) {
    const meets = kept.some(
      (other) =>
        Math.abs(Math.log(point.x / other.x)) < 0.45 * wide &&
        Math.abs(Math.log(point.y / other.y)) < 0.05 * high,
    );
    if (!meets) kept.push(point);
  }
  return new Set(kept.map(({ name }) => name));
}

/** A name without what follows its comma or bracket: Atom Z500. */
const shortName = (name: string) => plotText(short(name.split(/[,(]/)[0]?.trim() ?? name, 20));

function marker(point: Point, best: string | null, named: Set<string>): string {
  if (!named.has(point.name)) return '';
  return point.name === best ? `<b>${shortName(point.name)}</b>` : shortName(point.name);
}

function scatter(of: ToldFigure, { theme, narrow }: Options): Drawn {
  const { series, along, across } = of;
  const best = of.best;
  const all = series.flatMap(pointsOf);
  const named = narrow ? new Set(best === null ? [] : [best]) : namedPoints(all, best);
  const xs = all.map(({ x }) => x);
  const middle = across?.is_log
    ? Math.sqrt(Math.max(...xs) * Math.min(...xs))
    : (Math.max(...xs) + Math.min(...xs)) / 2;
  return {
    data: series.map((one, place): Trace => {
      const own = pointsOf(one);
      return {
        type: 'scatter',
        mode: 'text+markers',
        name: one.name,
        x: own.map(({ x }) => x),
        y: own.map(({ y }) => y),
        text: own.map((point) => marker(point, best, named)),
        textposition: own.map(({ x }) => (x > middle ? 'middle left' : 'middle right')),
        textfont: { size: 11, color: palette[theme].text },
        marker: {
          size: own.map(({ name }) => (name === best ? 13 : 9)),
          symbol: SYMBOLS[place % SYMBOLS.length],
          color: look(place, theme).color,
        },
        hovertext: own.map(
          ({ name, x, y }) =>
            `<b>${plotText(name)}</b><br>${textOf(along, y)}<br>at ${textOf(across ?? UNTITLED, x)}`,
        ),
        hoverinfo: 'text',
        cliponaxis: false,
      };
    }),
    layout: axes(
      of,
      xs,
      all.map(({ y }) => y),
      narrow,
    ),
  };
}

const DRAWN = {
  stacked: bars,
  grouped: bars,
  columns,
  ranges,
  lines,
  areas: lines,
  points: scatter,
  cells,
};

const PLAIN = { at: [], names: [], kinds: [], low: [], high: [], style: 'line' as const };
const EMPTY = { of: null, best: null, note: null, less_is_better: false };
const NO_ROWS = { rows: [], marks: [], kinds: [], levels: [] };

/** A figure with all that it may say; one of a kept answer may be from before some of it was. */
function whole(of: GivenFigure): ToldFigure {
  const axis = (own: GivenFigure['along']): Axis => ({ ...UNTITLED, ...own });
  return {
    ...EMPTY,
    ...NO_ROWS,
    ...of,
    along: axis(of.along),
    across: of.across ? axis(of.across) : null,
    measure: of.measure ? axis(of.measure) : null,
    series: of.series.map((one) => ({ ...PLAIN, ...one })),
  };
}

/** Draws a figure that a model gives as data. */
export function toldFigure(given: GivenFigure, options: Options): Figure {
  const of = whole(given);
  const drawn = DRAWN[of.kind](of, options);
  return { title: of.title, summary: summaryOf(of), ...drawn, table: tableOf(of) };
}
