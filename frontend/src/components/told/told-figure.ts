import type { Figure, Trace } from '../../lib/figure';
import { plotText, short } from '../../lib/plotting';
import { palette, type Theme } from '../../lib/tokens';
import { fillsOf, lookOf } from './roles';
import type { ToldFigure } from './told';
import { axisOf } from './told-axis';
import { lines, steps } from './told-lines';
import {
  axes,
  CROWDED_ROWS,
  kindOf,
  MANY_ROWS,
  NO_ROLE,
  SYMBOLS,
  textOf,
  UNTITLED,
  type Options,
  type Series,
} from './told-parts';

interface Point {
  name: string;
  x: number;
  y: number;
}

function summaryOf(of: ToldFigure): string {
  const { rows, series, along } = of;
  if (rows.length > MANY_ROWS) return `${of.title}.`;
  if (rows.length === 0) {
    const names = series.map(({ name }) => name).join('; ');
    return [`${of.title}. ${names}.`, of.note].filter(Boolean).join(' ');
  }
  const said = rows.map((row, at) => {
    const total = series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
    const own = series.map(({ name, values }) => `${name} ${textOf(along, values[at] ?? null)}`);
    const all = of.kind === 'stacked' ? textOf(along, total) : own.join(', ');
    return `${row}: ${of.row_notes?.[at] ?? all}`;
  });
  return `${of.title}. ${said.join('; ')}.`;
}

/** Bars from zero, one a row, split or side by side where there is more than one series. */
function bars(of: ToldFigure, { theme, narrow }: Options): Pick<Figure, 'data' | 'layout'> {
  const { rows, series, along, row_notes: notes = [] } = of;
  const split = series.length > 1;
  const [first] = series;
  const colors = split || first?.role ? fillsOf(series, theme) : [lookOf(NO_ROLE, 0, theme).color];
  const isNamed = (_: string, at: number) => rows.length <= CROWDED_ROWS || at % 5 === 0;
  const ends = rows.map((_, at) => series.map(({ values }) => values[at] ?? 0));
  const high =
    of.kind === 'stacked' ? ends.map((own) => own.reduce((sum, one) => sum + one, 0)) : ends.flat();
  return {
    data: [
      ...series.map(({ name, values }, at): Trace => ({
        type: 'bar',
        orientation: 'h',
        name,
        y: rows.map((_, place) => place),
        x: values.map((value) => value ?? 0),
        marker: {
          color: colors[at],
          // A thin edge between pieces, so that neighbours of like tone stay apart.
          ...(split && { line: { color: palette[theme].background, width: 1 } }),
        },
        ...(split
          ? {}
          : { text: values.map((value) => textOf(along, value)), textposition: 'outside' }),
        cliponaxis: false,
        hovertext: rows.map(
          (row, place) =>
            `<b>${plotText(row)}</b><br>${name}: ${textOf(along, values[place] ?? null)}`,
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
        ...axisOf(along, high, true),
        showgrid: true,
        // Room for the words that stand beside the longest bar.
        ...(notes.length > 0 && { range: [0, Math.max(...high) * (narrow ? 2.1 : 1.7)] }),
      },
      yaxis: {
        tickmode: 'array',
        tickvals: rows.map((_, at) => at).filter((at) => isNamed('', at)),
        ticktext: rows.filter(isNamed).map((row) => plotText(short(row, narrow ? 13 : 24))),
        range: [rows.length - 0.4, -0.6],
        showgrid: false,
      },
    },
  };
}

function endNotes(notes: readonly string[], ends: readonly number[], theme: Theme): Trace {
  return {
    type: 'scatter',
    mode: 'text',
    name: 'Totals',
    showlegend: false,
    x: [...ends],
    y: notes.map((_, at) => at),
    text: notes.map((text) => `  ${plotText(text)}`),
    textposition: 'middle right',
    textfont: { size: 12, color: palette[theme].text },
    cliponaxis: false,
    hoverinfo: 'skip',
  };
}

/** A map of a measure over two axes. */
function cells(of: ToldFigure, { theme, narrow }: Options): Pick<Figure, 'data' | 'layout'> {
  const { series, along, across, measure, levels } = of;
  const said = (one: Series, at: number) =>
    `<b>${textOf(measure ?? UNTITLED, one.values[at] ?? null)}</b><br>${plotText(one.name)}, ` +
    `${textOf(across ?? UNTITLED, one.at[at] ?? null)} ${across?.title ?? ''}${kindOf(one, at)}`;
  return {
    data: [
      {
        type: 'heatmap',
        x: [...(series[0]?.at ?? [])],
        y: [...levels],
        z: series.map(({ values }) => [...values]) as number[][],
        colorscale: 'Viridis',
        reversescale: of.less_is_better,
        showscale: !narrow,
        colorbar: { thickness: 10, outlinewidth: 0, tickfont: { color: palette[theme].muted } },
        text: series.map((one) => one.values.map((_, at) => said(one, at))) as unknown as string[],
        hovertemplate: '%{text}<extra></extra>',
      } as Trace,
    ],
    layout: {
      margin: { l: 72, r: 20, t: 12, b: 48 },
      xaxis: { title: { text: across?.title ?? '' } },
      yaxis: { title: { text: along.title }, showgrid: false },
    },
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

const pointsOf = ({ names, at, values }: Series): Point[] =>
  values.flatMap((y, index) =>
    y === null ? [] : [{ name: names[index] ?? '', x: at[index] ?? 0, y }],
  );

/** A name without what follows its comma or bracket: Atom Z500. */
const shortName = (name: string) => plotText(short(name.split(/[,(]/)[0]?.trim() ?? name, 20));

function marker(point: Point, best: string | null, named: Set<string>): string {
  if (!named.has(point.name)) return '';
  return point.name === best ? `<b>${shortName(point.name)}</b>` : shortName(point.name);
}

function scatter(of: ToldFigure, { theme, narrow }: Options): Pick<Figure, 'data' | 'layout'> {
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
          color: lookOf(one, place, theme).color,
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
    ),
  };
}

function tableOf(of: ToldFigure): Figure['table'] {
  const { rows, series, along, across, kind } = of;
  const [first] = of.twin ?? [];
  if (first) {
    return {
      columns: of.twin.map(({ label, unit }) => ({ label, unit })),
      rows: first.values.map((_, at) => of.twin.map((column) => column.values[at] ?? null)),
    };
  }
  const { unit } = of.measure ?? along;
  const values = series.map(({ name }) => ({ label: name, unit }));
  if (rows.length > 0) {
    return {
      columns: [{ label: of.name, unit: '' }, ...values],
      rows: rows.map((row, at) => [row, ...series.map((one) => one.values[at] ?? null)]),
    };
  }
  const head = { label: across?.title ?? '', unit: across?.unit ?? '' };
  if (kind === 'points') {
    return {
      columns: [
        { label: 'Name', unit: '' },
        { label: 'Kind', unit: '' },
        head,
        { label: along.title, unit: along.unit },
      ],
      rows: series.flatMap((one) => pointsOf(one).map(({ name, x, y }) => [name, one.name, x, y])),
    };
  }
  return {
    columns: [head, ...values],
    rows: (series[0]?.at ?? []).map((at, index) => [
      at,
      ...series.map((one) => one.values[index] ?? null),
    ]),
  };
}

const DRAWN = { stacked: bars, grouped: bars, lines, steps, points: scatter, cells };

/** Draws a figure that a model gives as data. */
export function toldFigure(of: ToldFigure, options: Options): Figure {
  const drawn = DRAWN[of.kind](of, options);
  return { title: of.title, summary: summaryOf(of), ...drawn, table: tableOf(of) };
}
