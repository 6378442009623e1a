import type { Figure, Trace } from '../../../lib/figure';
import { quantity } from '../../../lib/format';
import { palette, type Theme } from '../../../lib/tokens';
import type { Grid } from '../result-parts';
import { named } from './series';

interface Options {
  theme: Theme;
  narrow: boolean;
}

function hover(grid: Grid): string[][] {
  return grid.values.map((row, line) =>
    row.map(
      (value, at) =>
        `<b>${quantity(value, grid.unit)}</b><br>` +
        `${grid.x.label} ${quantity(grid.x.values[at], grid.x.unit)}<br>` +
        `${grid.y.label} ${quantity(grid.y.values[line], grid.y.unit)}`,
    ),
  );
}

/** Numbers over two axes as a map; its table has a row for each of its rows. */
export function gridFigure(grid: Grid, { theme, narrow }: Options): Figure {
  const all = grid.values.flat().filter((value) => value !== null);
  const range = `${quantity(Math.min(...all), grid.unit)} to ${quantity(Math.max(...all), grid.unit)}`;
  const title = `${grid.title}: ${range}`;
  const axis = (part: Grid['x']) => ({
    title: { text: named({ key: '', label: part.label, unit: part.unit }) },
    tickformat: part.unit === 'fraction' ? '.0%' : undefined,
  });
  const { muted } = palette[theme];
  return {
    title,
    summary: `${title}. ${grid.values.length} rows of ${grid.x.values.length}.`,
    data: [
      {
        type: 'heatmap',
        x: grid.x.values,
        y: grid.y.values,
        z: grid.values as number[][],
        colorscale: 'Viridis',
        showscale: !narrow,
        colorbar: { thickness: 10, outlinewidth: 0, tickfont: { color: muted } },
        text: hover(grid) as unknown as string[],
        hovertemplate: '%{text}<extra></extra>',
      } as Trace,
    ],
    layout: {
      margin: { l: 64, r: 12, t: 8, b: 48 },
      xaxis: axis(grid.x),
      yaxis: { ...axis(grid.y), showgrid: false },
    },
    table: {
      columns: [
        { label: grid.y.label, unit: grid.y.unit },
        ...grid.x.values.map((value) => ({
          label: `${grid.x.label} ${quantity(value, grid.x.unit)}`,
          unit: grid.unit,
        })),
      ],
      rows: grid.values.map((row, at) => [grid.y.values[at] ?? null, ...row]),
    },
  };
}
