import type { ToldFigure } from '../../../components/told/told';
import { valueAxis } from '../../../lib/axis';
import type { Figure } from '../../../lib/figure';
import { dateTime, money, moneyChange, type Currency } from '../../../lib/format';
import { palette, type Theme } from '../../../lib/tokens';
import type { Point, Points } from './rows';

interface Options {
  theme: Theme;
  narrow: boolean;
  currency: Currency;
}

/** From the cost of one run to that of another, its ends called by when they were. */
export function dated(figure: ToldFigure, { before, after }: Points): ToldFigure {
  const [start, end] = [dateTime(before.submitted_at), dateTime(after.submitted_at)];
  const named = <T>(values: readonly T[]) => [start, ...values.slice(1, -1), end];
  const [steps, ...columns] = figure.twin;
  const twin = steps ? [{ ...steps, values: named(steps.values) }, ...columns] : [];
  return { ...figure, rows: named(figure.rows), twin };
}

/** The cost of the cheapest design, run by run; nothing with fewer than two runs. */
export function costOverTime(runs: readonly Point[], options: Options): Figure | null {
  const known = [...runs].reverse().filter((run) => run.cost_usd !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last || first === last) return null;
  const costs = known.map((run) => run.cost_usd ?? 0);
  const { theme, narrow, currency } = options;
  const change = (last.cost_usd ?? 0) - (first.cost_usd ?? 0);
  const title = `Cost of the cheapest design: ${money(last.cost_usd, currency)}, ${moneyChange(change, currency)} in ${known.length} runs`;
  return {
    title,
    summary: `${title}.`,
    data: [
      {
        type: 'scatter',
        mode: 'text+lines+markers',
        x: known.map((run) => run.submitted_at),
        y: costs,
        // Where the cheapest is another than before; runs of one minute stand over each other.
        text: known.map((run, at) => (run.winner === known[at - 1]?.winner ? '' : run.winner)),
        textposition: known.map(() => 'top center'),
        textfont: { size: 12, color: palette[theme].text },
        line: { color: palette[theme].action, width: 2, shape: 'hv' },
        cliponaxis: false,
        hovertext: known.map(
          (run) =>
            `<b>${dateTime(run.submitted_at)}</b><br>${run.winner} ${money(run.cost_usd, currency)}`,
        ),
        hoverinfo: 'text',
      },
    ],
    layout: {
      margin: { l: 64, r: 24, t: 16, b: 40 },
      xaxis: { type: 'date', nticks: narrow ? 3 : 8 },
      yaxis: valueAxis('USD', { low: 0, high: Math.max(...costs), room: [0, 0.1], currency }),
    },
    table: {
      columns: [
        { label: 'Run', unit: '' },
        { label: 'Cheapest', unit: '' },
        { label: 'Cost', unit: 'USD' },
      ],
      rows: known.map((run) => [dateTime(run.submitted_at), run.winner, run.cost_usd]),
    },
  };
}
