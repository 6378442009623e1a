import type { Figure, Trace } from '../../lib/figure';
import { plotText } from '../../lib/plotting';
import { chartTokens, palette, type Theme } from '../../lib/tokens';
import { fillsOf, lookOf } from './roles';
import type { ToldFigure } from './told';
import { axisOf } from './told-axis';
import {
  axes,
  kindOf,
  numbers,
  symbolsOf,
  textOf,
  UNTITLED,
  type Options,
  type Series,
} from './told-parts';

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
export function steps(of: ToldFigure, { theme }: Options): Pick<Figure, 'data' | 'layout'> {
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

/** Lines, each with the letter of its design. */
export function lines(of: ToldFigure, { theme }: Options): Pick<Figure, 'data' | 'layout'> {
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
