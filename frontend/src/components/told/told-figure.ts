import { labelRoom } from '../../lib/axis';
import type { Figure, Trace } from '../../lib/figure';
import { plotText, short } from '../../lib/plotting';
import { palette } from '../../lib/tokens';
import { lookOf } from './roles';
import type { GivenFigure, ToldFigure } from './told';
import { axisOf, ownTicks } from './told-axis';
import { designBars, designRanges } from './told-designs';
import { axes, lines, placeOf, steps } from './told-lines';
import { designPoints } from './told-points';
import { regions } from './told-regions';
import {
  bars,
  columns,
  kindOf,
  numbers,
  ranges,
  SYMBOLS,
  textOf,
  UNTITLED,
  type Axis,
  type Options,
  type Series,
} from './told-rows';
import { swings, waterfall } from './told-steps';
import { pointsOf, summaryOf, tableOf, type Point } from './told-twin';

type Drawn = Pick<Figure, 'data' | 'layout' | 'legend'>;

const formatOf = (axis: Axis | null) => (axis?.unit === 'fraction' ? '.0%' : undefined);

/** A map of a measure over two axes. */
function cells(of: ToldFigure, { theme, narrow, currency }: Options): Drawn {
  const { series, along, across, measure, levels } = of;
  const at = series[0]?.at ?? [];
  const said = (one: Series, place: number) =>
    `<b>${textOf(measure ?? UNTITLED, one.values[place] ?? null, currency)}</b><br>${plotText(one.name)}, ` +
    `${placeOf(of, one, place, currency)} ${across?.title ?? ''}${kindOf(one, place)}`;
  const all = series.flatMap(({ values }) => numbers(values));
  const isShare = measure?.unit === 'fraction';
  const { tickvals, ticktext } = axisOf(measure ?? UNTITLED, all, { zero: true, currency });
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
        ? axisOf(across, at, { narrow, currency })
        : { title: { text: across?.title ?? '' }, tickformat: formatOf(across) },
      yaxis: {
        ...(along.ticks.length > 0 ? ownTicks(along, 16) : { tickformat: formatOf(along) }),
        title: { text: along.title },
        showgrid: false,
      },
    },
  };
}

/** Points whose names do not meet that of another; the best one is always named. */
function namedPoints(points: readonly Point[], { best, along, across }: ToldFigure): Set<string> {
  const scaleOf = (axis: Axis | null, values: number[]) => {
    const of = (value: number) => (axis?.is_log ? Math.log(value) : value);
    return { of, span: of(Math.max(...values)) - of(Math.min(...values)) || 1 };
  };
  const x = scaleOf(
    across,
    points.map((point) => point.x),
  );
  const y = scaleOf(
    along,
    points.map((point) => point.y),
  );
  const kept: Point[] = [];
  const ordered = [...points].sort((a, b) => Number(b.name === best) - Number(a.name === best));
  for (const point of ordered) {
    const meets = kept.some(
      (other) =>
        Math.abs(x.of(point.x) - x.of(other.x)) < 0.45 * x.span &&
        Math.abs(y.of(point.y) - y.of(other.y)) < 0.05 * y.span,
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

function scatter(of: ToldFigure, options: Options): Drawn {
  const { theme, narrow, currency } = options;
  const { series, along, across } = of;
  const best = of.best;
  const all = series.flatMap(pointsOf);
  const named = narrow ? new Set(best === null ? [] : [best]) : namedPoints(all, of);
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
        name: plotText(one.name),
        x: own.map(({ x }) => x),
        y: own.map(({ y }) => y),
        text: own.map((point) => marker(point, best, named)),
        textposition: own.map(({ x }) => (x > middle ? 'middle left' : 'middle right')),
        textfont: { size: 11, color: palette[theme].text },
        marker: {
          size: own.map(({ name }) => (name === best ? 13 : 9)),
          symbol: SYMBOLS[place % SYMBOLS.length],
          color: lookOf(one, place, theme).color,
        },
        hovertext: own.map(
          ({ name, x, y }) =>
            `<b>${plotText(name)}</b><br>${textOf(along, y, currency)}<br>at ${textOf(across ?? UNTITLED, x, currency)}`,
        ),
        hoverinfo: 'text',
        cliponaxis: false,
      };
    }),
    layout: axes(
      of,
      xs,
      all.map(({ y }) => y),
      options,
    ),
  };
}

const DRAWN = {
  stacked: bars,
  grouped: bars,
  columns,
  ranges,
  waterfall,
  swings,
  lines,
  areas: lines,
  steps,
  points: scatter,
  cells,
  regions,
};

const NAMED = { role: '', at: [], names: [], kinds: [] };
const RANGED = { ...NAMED, low: [], high: [], base: [] };
const PLAIN = { ...RANGED, texts: [], end: '', style: 'line' as const };
const SAID = { of: null, summary: '', best: null, note: null, limit: null };
const EMPTY = { ...SAID, less_is_better: false };
const NO_ROWS = { rows: [], row_roles: [], row_notes: [], row_reasons: [], marks: [], dots: [] };
const NO_POINTS = { kinds: [], levels: [], twin: [] };

/** A figure with all that it may say; one of a kept answer may be from before some of it was. */
function whole(of: GivenFigure): ToldFigure {
  const axis = (own: GivenFigure['along']): Axis => ({ ...UNTITLED, ...own });
  return {
    ...EMPTY,
    ...NO_ROWS,
    ...NO_POINTS,
    ...of,
    along: axis(of.along),
    across: of.across ? axis(of.across) : null,
    measure: of.measure ? axis(of.measure) : null,
    series: of.series.map((one) => ({ ...PLAIN, ...one })),
  };
}

/** What draws designs, each in its colour. */
const BY_DESIGN = { stacked: designBars, ranges: designRanges, points: designPoints };

function drawerOf({ kind, row_roles: roles, series }: ToldFigure) {
  const isOfDesigns = kind === 'points' ? series.some(({ role }) => role) : roles.length > 0;
  const own = kind === 'stacked' || kind === 'ranges' || kind === 'points';
  return own && isOfDesigns ? BY_DESIGN[kind] : DRAWN[kind];
}

/** Draws a figure that a model gives as data. */
export function toldFigure(given: GivenFigure, options: Options): Figure {
  const of = whole(given);
  const drawn = drawerOf(of)(of, options);
  return {
    title: of.title,
    summary: summaryOf(of, options.currency),
    ...drawn,
    table: tableOf(of),
  };
}
