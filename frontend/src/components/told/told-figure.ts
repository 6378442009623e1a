import type { Figure, Trace } from '../../lib/figure';
import { quantity } from '../../lib/format';
import { plotText, short } from '../../lib/plotting';
import { chartTokens, palette, type Theme } from '../../lib/tokens';
import { fillsOf, lookOf } from './roles';
import type { ToldFigure } from './told';
import { axisOf } from './told-axis';

interface Options {
  theme: Theme;
  narrow: boolean;
}

type Series = ToldFigure['series'][number];
type Axis = ToldFigure['along'];

interface Point {
  name: string;
  x: number;
  y: number;
}

const NO_ROLE = { role: '' } as Series;
const SYMBOLS = ['circle', 'square', 'diamond', 'cross', 'x'] as const;
/** More rows are drawn close together; of still more, every fifth is named. */
export const MANY_ROWS = 12;
export const CROWDED_ROWS = 30;
const UNTITLED = { title: '', unit: '', is_log: false } satisfies Axis;

const numbers = (values: readonly (number | null)[]) =>
  values.filter((value): value is number => value !== null);

const textOf = (axis: Axis, value: number | null) => quantity(value, axis.unit);

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

const kindOf = ({ kinds }: Series, at: number) =>
  kinds[at] === undefined ? '' : `<br>${plotText(kinds[at])}`;

/** Marks say what points are, where a figure tells kinds of them apart. */
const symbolsOf = ({ kinds: all }: ToldFigure, { kinds }: Series) =>
  kinds.length > 0
    ? kinds.map((kind) => SYMBOLS[Math.max(0, all.indexOf(kind))] ?? 'circle')
    : undefined;

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

const nameOf = ({ names }: Series, at: number) => (names[at] ? `<br>${plotText(names[at])}` : '');

/** The letter of a design at its line: near the middle of a long one, at the end of a short one. */
function lettersOf({ series }: ToldFigure, theme: Theme): Trace[] {
  const first = series.filter(
    ({ role }, at) => role && series.findIndex((one) => one.role === role) === at,
  );
  if (first.length === 0) return [];
  const places = first.map(({ values }, at) =>
    values.length < 20
      ? values.length - 1
      : Math.floor(values.length * (0.3 + (0.4 * (at + 0.5)) / first.length)),
  );
  return [
    {
      type: 'scatter',
      mode: 'text',
      name: 'Letters',
      showlegend: false,
      x: first.map((one, at) => one.at[places[at] ?? 0] ?? 0),
      y: first.map((one, at) => one.values[places[at] ?? 0] ?? 0),
      text: first.map(({ role }) => `  <b>${role}</b>`),
      textposition: 'middle right',
      textfont: { size: 13, color: first.map((one, at) => lookOf(one, at, theme).color) },
      cliponaxis: false,
      hoverinfo: 'skip',
    },
  ];
}

/** Values that hold from one place to the next, on top of each other. */
function steps(of: ToldFigure, { theme }: Options): Pick<Figure, 'data' | 'layout'> {
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
      name: one.name,
      x: twice(one.at).slice(1, -1),
      y: twice(numbers(one.values)),
      stackgroup: 'all',
      fillcolor: colors[place],
      line: { width: 0, color: colors[place] },
      text: twice(one.values.map((value) => textOf(along, value))),
      hovertemplate: `${plotText(one.name)}: %{text}<extra></extra>`,
    })),
    layout: {
      margin: { l: 60, r: 16, t: 12, b: 42 },
      showlegend: true,
      xaxis: {
        title: { text: [across?.title, across?.unit].filter(Boolean).join(', ') },
        range: [0, series[0]?.at.at(-1) ?? 1],
      },
      yaxis: axisOf(along, sums, true),
    },
  };
}

function lines(of: ToldFigure, { theme }: Options): Pick<Figure, 'data' | 'layout'> {
  const { series, along, across } = of;
  const all = series.flatMap(({ values }) => numbers(values));
  const ends = [Math.min(...all), Math.max(...all)] as const;
  const at = across ?? UNTITLED;
  return {
    data: [
      ...series.map((one, place): Trace => {
        const { color, dashPx, marker } = lookOf(one, place, theme);
        const few = one.values.length < 20;
        const isNamed = one.names.length > 0;
        // A second line of the same design stands back.
        const second = series.slice(0, place).some(({ role }) => role && role === one.role);
        return {
          type: 'scatter',
          mode: (few || isNamed) && !second ? 'lines+markers' : 'lines',
          name: one.name,
          x: [...one.at],
          y: one.values as number[],
          line: {
            color,
            width: second ? 1 : chartTokens.line_px + (one.name === of.best ? 1 : 0),
            dash: second
              ? 'dot'
              : ((dashPx.map((px) => `${px}px`).join(',') || 'solid') as 'solid'),
          },
          marker: {
            size: isNamed ? one.names.map((name) => (name === '' ? 0 : 8)) : 7,
            color,
            symbol: symbolsOf(of, one) ?? (one.role ? marker : undefined),
          },
          hovertext: one.values.map(
            (value, index) =>
              `<b>${plotText(one.name)}</b><br>${textOf(along, value)}<br>` +
              `at ${textOf(at, one.at[index] ?? null)}${kindOf(one, index)}${nameOf(one, index)}`,
          ),
          hoverinfo: 'text',
        };
      }),
      ...markLines(of, ends, theme),
      ...lettersOf(of, theme),
    ],
    layout: axes(
      of,
      series.flatMap((one) => one.at),
      all,
    ),
  };
}

function axes(of: ToldFigure, xs: readonly number[], ys: readonly number[]): Figure['layout'] {
  const { series, along, across } = of;
  return {
    margin: { l: 72, r: 20, t: 12, b: 48 },
    showlegend: series.length > 1,
    xaxis: axisOf(across ?? UNTITLED, xs, false),
    yaxis: axisOf(along, ys, true),
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
  if (of.twin) return of.twin as unknown as Figure['table'];
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
