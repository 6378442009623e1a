import { valueAxis } from '../../../lib/axis';
import type { Figure } from '../../../lib/figure';
import { counted, dateTime, money, moneyChange, type Currency } from '../../../lib/format';
import { moneySteps } from '../../../lib/parts';
import { chartTokens, palette, type Theme } from '../../../lib/tokens';
import type { RunCauses } from '../../../lib/types';
import type { Point } from './rows';

interface Options {
  theme: Theme;
  narrow: boolean;
  currency: Currency;
}

/** "Why the cost moved: present value over 3 years, mean of 10,000 simulations" */
export function movesName(found: RunCauses): string {
  const measure = found.measure.charAt(0).toLowerCase() + found.measure.slice(1);
  const drawn = found.simulations_count > 0;
  const of = drawn ? ` of ${counted(found.simulations_count, 'simulation')}` : ', as entered';
  return `Why the cost moved: ${measure}${of}`;
}

// Less than half a cent is printed as nothing.
const LEAST = 0.005;

/** "of +$212 k: prices +$180 k, growth +$40 k, model −$8 k" */
export function moveSentence(found: RunCauses, currency: Currency): string {
  const change = found.after_usd - found.before_usd;
  const isStill = (usd: number) => Math.abs(usd * currency.per_usd) < LEAST;
  if ([change, ...found.causes.map((cause) => cause.amount_usd)].every(isStill)) {
    return 'The cost did not move';
  }
  const parts = [...found.causes]
    .sort((a, b) => Math.abs(b.amount_usd) - Math.abs(a.amount_usd))
    .map((cause) => `${cause.label.toLowerCase()} ${moneyChange(cause.amount_usd, currency)}`);
  return `Of ${moneyChange(change, currency)}: ${parts.join(', ')}`;
}

/** From the cost of one run to that of another, one step per cause. */
export function moves(found: RunCauses, before: Point, after: Point, options: Options): Figure {
  const { theme, narrow, currency } = options;
  const changes = found.causes.map((cause) => cause.amount_usd);
  const printed = moneySteps(found.before_usd, changes, found.after_usd, currency);
  const labels = [
    dateTime(before.submitted_at),
    ...found.causes.map((cause) => cause.label),
    dateTime(after.submitted_at),
  ];
  const base = [0];
  let level = found.before_usd;
  for (const change of changes) {
    base.push(level);
    level += change;
  }
  base.push(0);
  const length = [found.before_usd, ...changes, found.after_usd];
  const ends = base.map((start, at) => start + (length[at] ?? 0));
  const looks = chartTokens.waterfall;
  const end = palette[theme].muted;
  const color = length.map((step, at) =>
    at === 0 || at === length.length - 1 ? end : looks[step > 0 ? 'more' : 'less'][theme],
  );
  const title = moveSentence(found, currency);
  return {
    title,
    summary: `${title}. ${labels.map((label, at) => `${label} ${printed.steps[at]}`).join('; ')}.`,
    data: [
      {
        type: 'bar',
        orientation: 'h',
        y: labels.map((_, at) => at),
        x: length,
        base,
        text: printed.steps,
        textposition: 'outside',
        constraintext: 'none',
        textfont: { size: 12, color: palette[theme].text },
        cliponaxis: false,
        marker: { color },
        hovertext: labels.map((label, at) => `<b>${label}</b><br>${printed.steps[at]}`),
        hoverinfo: 'text',
      },
    ],
    layout: {
      margin: { l: narrow ? 112 : 168, r: 24, t: 8, b: 40 },
      bargap: 0.28,
      xaxis: {
        ...valueAxis('USD', {
          low: Math.min(0, ...ends),
          high: Math.max(0, ...ends),
          room: [0, narrow ? 0.3 : 0.16],
          count: narrow ? 2 : 4,
          currency,
        }),
        showgrid: true,
      },
      yaxis: {
        tickmode: 'array',
        tickvals: labels.map((_, at) => at),
        ticktext: narrow ? labels.map((label) => label.replace(', ', ',<br>')) : labels,
        range: [labels.length - 0.4, -0.6],
        showgrid: false,
      },
    },
    table: {
      columns: [
        { label: 'Step', unit: '' },
        { label: 'Amount', unit: 'USD' },
        { label: 'Level after', unit: 'USD' },
      ],
      rows: labels.map((label, at) => [label, length[at] ?? null, ends[at] ?? null]),
      printed: { 1: printed.steps, 2: printed.levels },
    },
  };
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
