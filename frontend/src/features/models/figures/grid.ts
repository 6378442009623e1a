import { toldFigure } from '../../../components/told/told-figure';
import type { Figure } from '../../../lib/figure';
import { quantity, USD } from '../../../lib/format';
import type { Theme } from '../../../lib/tokens';
import type { Grid } from '../result-parts';
import { named } from './series';

interface Options {
  theme: Theme;
  narrow: boolean;
}

/** Numbers over two axes as a map; its table has a row for each of its rows. */
export function gridFigure(grid: Grid, options: Options): Figure {
  const { x, y, unit, values } = grid;
  const all = values.flat().filter((value) => value !== null);
  const range = `${quantity(Math.min(...all), unit)} to ${quantity(Math.max(...all), unit)}`;
  const axis = (part: Grid['x']) => ({
    title: named({ key: '', label: part.label, unit: part.unit }),
    unit: part.unit,
  });
  const heads = x.values.map((value) => ({ label: `${x.label} ${quantity(value, x.unit)}`, unit }));
  const rowName = (at: number) => `${y.label} ${quantity(y.values[at], y.unit)}`;
  return {
    ...toldFigure(
      {
        kind: 'cells',
        name: grid.title,
        title: `${grid.title}: ${range}`,
        along: axis(y),
        across: axis(x),
        measure: { title: grid.title, unit },
        levels: y.values,
        series: values.map((row, at) => ({ name: rowName(at), at: x.values, values: row })),
      },
      { ...options, currency: USD },
    ),
    table: {
      columns: [{ label: y.label, unit: y.unit }, ...heads],
      rows: values.map((row, at) => [y.values[at] ?? null, ...row]),
    },
  };
}
