import type { Figure, Trace } from '../../lib/figure';
import { range } from '../../lib/format';
import { plotText, short } from '../../lib/plotting';
import { designLook, palette } from '../../lib/tokens';
import { labelsOf } from './labels';
import type { ToldFigure } from './told';
import { axisOf } from './told-axis';
import { errorOf, numbers, textOf, UNTITLED, type Options, type Series } from './told-rows';

/** A line that joins points which are not to be told apart from it. */
const joined = (one: Series, { theme }: Options): Trace => ({
  type: 'scatter',
  mode: 'lines',
  name: one.name,
  x: [...one.at],
  y: numbers(one.values),
  line: { color: palette[theme].muted, width: 1, dash: 'dot', shape: 'hv' },
  hoverinfo: 'skip',
});

/** What an axis of points spans; zero too when it is near. */
function endsOf(values: readonly number[]): { low: number; high: number } {
  return { low: Math.min(...values), high: Math.max(...values) };
}

/** How far a point may be off. */
function offOf({ low: [low], high: [high] }: Series): [number, number] | null {
  return low == null || high == null ? null : [low, high];
}

/** Designs as points, each with its letter, its name and how far it may be off. */
export function designPoints(of: ToldFigure, options: Options): Pick<Figure, 'data' | 'layout'> {
  const { series, along, across } = of;
  const { theme, narrow, currency } = options;
  const points = series
    .filter(({ role }) => role)
    .map((one) => ({
      one,
      usd: one.at[0] ?? 0,
      value: one.values[0] ?? 0,
      letter: one.role,
      title: short(one.name.replace(`${one.role}, `, ''), 40),
      off: offOf(one),
    }));
  const all = points.flatMap(({ one }) => numbers([...one.values, ...one.low, ...one.high]));
  const costs = endsOf(points.map(({ usd }) => usd));
  const lineOf = (letter: string, title: string) => {
    const { color } = designLook(letter, theme);
    return `  <span style="color:${color}">${`<b>${letter}</b> ${plotText(title)}`.trim()}</span>  `;
  };
  const xaxis = axisOf(across ?? UNTITLED, [costs.low, costs.high], {
    ...options,
    room: 0.1,
    count: narrow ? 3 : 5,
  });
  const yaxis = axisOf(along, all, { ...options, room: 0.08 });
  const spanOf = ({ range: ends = [] }: typeof xaxis, high: number) => ({
    low: Number(ends[0] ?? 0),
    high,
  });
  const frame = {
    costs: spanOf(xaxis, costs.high),
    others: spanOf(yaxis, Math.max(...all)),
    narrow,
  };
  const labels = labelsOf(points, frame);
  const labelAt = (point: (typeof points)[number]) => {
    const { lines = [], textposition = 'top right' } = labels.get(point) ?? {};
    return {
      text: [lines.map(({ of: { letter }, title }) => lineOf(letter, title)).join('<br>')],
      textposition,
    };
  };
  return {
    data: [
      ...series.filter(({ role }) => !role).map((one) => joined(one, options)),
      ...points.map((point): Trace => {
        const { one, usd, value } = point;
        const { color, marker } = designLook(one.role, theme);
        const [low, high] = [one.low[0] ?? null, one.high[0] ?? null];
        const off =
          low === null || high === null ? '' : `, ${range(low, high, along.unit, currency)}`;
        return {
          type: 'scatter',
          mode: 'text+markers',
          name: one.role,
          x: [usd],
          y: [value],
          ...errorOf('y', one, color, { thickness: 1, width: 4 }),
          ...labelAt(point),
          textfont: { size: 12, color },
          marker: { size: 12, color, symbol: marker },
          hovertext: [
            `<b>${plotText(one.name)}</b><br>${textOf(across ?? UNTITLED, usd, currency)}<br>` +
              `${textOf(along, value, currency)}${off}`,
          ],
          hoverinfo: 'text',
          cliponaxis: false,
        };
      }),
    ],
    layout: { margin: { l: 84, r: 24, t: 12, b: 48 }, xaxis: { ...xaxis, showgrid: true }, yaxis },
  };
}
