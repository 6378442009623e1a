import { valueAxis } from '../../../lib/axis';
import type { CauseCost, Comparison, DesignResult } from '../../../lib/comparison';
import type { Figure, Trace } from '../../../lib/figure';
import { moneySteps } from '../../../lib/parts';
import { causeKey, causeOrder, chartTokens, designLook, palette } from '../../../lib/tokens';
import { nameOf, pairOf, plotText, short, type PairOptions } from './options';

export interface CauseDifference {
  cause: string;
  label: string;
  change_usd: number;
}

function orderOf(cause: CauseCost): number {
  // What is rented comes first: a step away from renting is read from the top.
  return (cause.side === 'rented' ? 0 : 100) + causeOrder(cause.side, cause.cause);
}

/**
 * What changes from one design to another, cause by cause in the fixed order. Causes that
 * differ by less than 1% of the larger total are summed into the rest.
 */
export function causeDifferences(from: DesignResult, to: DesignResult): CauseDifference[] {
  const found = new Map<string, CauseDifference & { order: number }>();
  const add = (cause: CauseCost, sign: number) => {
    const key = causeKey(cause.cause);
    const order = orderOf(cause);
    const entry = found.get(key);
    const change = (entry?.change_usd ?? 0) + sign * cause.ranked_usd;
    const label = entry && entry.order < order ? entry.label : cause.label;
    found.set(key, {
      cause: key,
      label,
      change_usd: change,
      order: Math.min(order, entry?.order ?? order),
    });
  };
  for (const cause of from.causes) add(cause, -1);
  for (const cause of to.causes) add(cause, 1);
  const limit =
    Math.max(Math.abs(from.ranked_usd), Math.abs(to.ranked_usd)) *
    chartTokens.waterfall_rest_fraction;
  const all = [...found.values()].sort((a, b) => a.order - b.order);
  const large = all.filter((entry) => Math.abs(entry.change_usd) > limit);
  const rest = all.filter((entry) => Math.abs(entry.change_usd) <= limit);
  const rest_usd = rest.reduce((sum, entry) => sum + entry.change_usd, 0);
  const steps = large.map(({ cause, label, change_usd }) => ({ cause, label, change_usd }));
  const worthShowing = rest.some((entry) => entry.change_usd !== 0);
  return worthShowing ? [...steps, { cause: 'rest', label: 'Rest', change_usd: rest_usd }] : steps;
}

function finding(from: DesignResult, to: DesignResult, steps: CauseDifference[]): string {
  const bySize = (sign: number) =>
    steps
      .filter((step) => step.cause !== 'rest' && step.change_usd * sign > 0)
      .sort((a, b) => Math.abs(b.change_usd) - Math.abs(a.change_usd))[0];
  const [saved, added] = [bySize(-1), bySize(1)];
  const head = `From ${from.letter} to ${to.letter}`;
  if (saved && added) {
    return `${head}: largest saving ${saved.label.toLowerCase()}, largest addition ${added.label.toLowerCase()}`;
  }
  const only = saved ?? added;
  if (!only) return `${head}: no cause differs by more than 1%`;
  return `${head}: largest ${saved ? 'saving' : 'addition'} ${only.label.toLowerCase()}`;
}

// Closer to the names of the steps than this share of the span, an amount would cover them.
const NEAR_NAMES = { narrow: 0.34, wide: 0.18 };

/** The amounts of the steps that end close to the names, at the other end of their bars. */
function turnedLabels(
  bars: { from: number; to: number; text: string; at: number }[],
  theme: PairOptions['theme'],
): Trace {
  return {
    type: 'scatter',
    mode: 'text',
    name: 'Amounts',
    x: bars.map((bar) => bar.from),
    y: bars.map((bar) => bar.at),
    text: bars.map((bar) => `\u00a0${bar.text}`),
    textposition: 'middle right',
    textfont: { size: 12, color: palette[theme].text },
    cliponaxis: false,
    hoverinfo: 'skip',
  };
}

/**
 * Why two designs differ: from one total to the other, one step per cause. The printed steps add
 * up to the printed totals.
 */
export function waterfall(comparison: Comparison, options: PairOptions): Figure | null {
  const [from, to] = pairOf(comparison, options);
  if (!from || !to || from.letter === to.letter) return null;
  const steps = causeDifferences(from, to);
  const { theme, currency } = options;
  const labels = [from.letter, ...steps.map((step) => step.label), to.letter];
  const base: number[] = [0];
  const length: number[] = [from.ranked_usd];
  const changes = steps.map((step) => step.change_usd);
  const printed = moneySteps(from.ranked_usd, changes, to.ranked_usd, currency);
  const text = printed.steps;
  const color: string[] = [designLook(from.letter, theme).color];
  let level = from.ranked_usd;
  for (const step of steps) {
    base.push(level);
    length.push(step.change_usd);
    color.push(chartTokens.waterfall[step.change_usd > 0 ? 'more' : 'less'][theme]);
    level += step.change_usd;
  }
  base.push(0);
  length.push(to.ranked_usd);
  color.push(designLook(to.letter, theme).color);
  const ends = base.map((start, at) => start + (length[at] ?? 0));
  const low = Math.min(0, ...base, ...ends);
  const high = Math.max(0, ...base, ...ends);
  const near = low + (high - low) * NEAR_NAMES[options.narrow ? 'narrow' : 'wide'];
  const bars = base.map((start, at) => ({
    from: start,
    to: ends[at] ?? start,
    text: text[at] ?? '',
    at,
  }));
  const turned = bars.filter((bar) => bar.to < bar.from && bar.to < near);
  const title = finding(from, to, steps);
  const named = [nameOf(from), ...steps.map((step) => step.label), nameOf(to)];
  return {
    title,
    summary: `${title}. ${named.map((name, at) => `${name} ${text[at]}`).join('; ')}.`,
    data: [
      {
        type: 'bar',
        orientation: 'h',
        y: labels.map((_, at) => at),
        x: length,
        base,
        text,
        textposition: bars.map((bar) => (turned.includes(bar) ? 'none' : 'outside')),
        constraintext: 'none',
        textfont: { size: 12, color: palette[theme].text },
        cliponaxis: false,
        marker: { color },
        hovertext: named.map((name, at) => `<b>${plotText(name)}</b><br>${text[at]}`),
        hoverinfo: 'text',
      },
      ...(turned.length > 0 ? [turnedLabels(turned, theme)] : []),
    ],
    layout: {
      margin: { l: options.narrow ? 96 : 148, r: 24, t: 8, b: 40 },
      bargap: 0.28,
      xaxis: {
        ...valueAxis('USD', {
          low,
          high,
          currency,
          room: [0, options.narrow ? 0.3 : 0.16],
          count: options.narrow ? 2 : 4,
        }),
        showgrid: true,
      },
      yaxis: {
        tickmode: 'array',
        tickvals: labels.map((_, at) => at),
        ticktext: labels.map((label, at) =>
          at === 0 || at === labels.length - 1
            ? `<b>${label}</b>`
            : plotText(short(label, options.narrow ? 14 : 22)),
        ),
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
      rows: named.map((name, at) => [name, length[at] ?? null, ends[at] ?? null]),
      printed: { 1: text, 2: printed.levels },
    },
  };
}
