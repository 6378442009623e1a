import type { LayoutAxis } from 'plotly.js';
import { money, quantity, USD, type Currency } from './format';

/** Round steps (1, 2, 2.5, 5 times a power of ten) that cover a span in about `count` parts. */
export function niceStep(span: number, count = 5): number {
  if (!(span > 0)) return 1;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((step) => step * power >= rough * 0.999) ?? 10;
  return factor * power;
}

export function niceTicks(low: number, high: number, count = 5): number[] {
  const step = niceStep(high - low, count);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first) + 1 }, (_, at) => (first + at) * step);
}

interface AxisOptions {
  low: number;
  high: number;
  currency?: Currency;
  /** Free space past the ends, as a share of the span, for labels outside of bars. */
  room?: [number, number];
  count?: number;
}

/** A value axis with our own number format; the range holds zero when bars start there. */
export function valueAxis(unit: string, options: AxisOptions): Partial<LayoutAxis> {
  const { low, high, currency = USD, room = [0, 0.04], count } = options;
  const span = high - low || Math.abs(high) || 1;
  const range = [low - span * room[0], high + span * room[1]];
  const scale = unit.startsWith('USD') ? currency.per_usd : 1;
  const shown = niceTicks(low * scale, (high + span * Math.min(room[1], 0.05)) * scale, count);
  const tickvals = shown.map((value) => value / scale);
  const largest = Math.max(...tickvals.map(Math.abs));
  const ticktext = tickvals.map((value) => tickText(value, unit, currency, largest));
  return { range, tickmode: 'array', tickvals, ticktext };
}

function tickText(value: number, unit: string, currency: Currency, largest: number): string {
  const text = unit === 'USD' ? money(value, currency) : quantity(value, unit, currency, largest);
  // At the edge of a plot a long zero would be cut; its unit is that of the other ticks.
  if (value === 0 && text.length > 4) return '0';
  // Round steps need no trailing zeros: $3 M, not $3.00 M.
  return text.replace(/(\.\d*?)0+(?=\D|$)/, '$1').replace(/\.(?=\D|$)/, '');
}

const CHARACTER_PX = 6.5;
const GAP_PX = 14;

/** The room that the widest of some labels takes beside a plot, and at least so much. [px] */
export function labelRoom(labels: readonly string[] | undefined, least: number): number {
  const longest = Math.max(0, ...(labels ?? []).map((label) => label.length));
  return Math.max(least, Math.ceil(longest * CHARACTER_PX) + GAP_PX);
}

/**
 * Moves labels apart so that neighbours are at least `gap` from each other, keeping their
 * order and staying near where they belong, none above `most`. Returns positions in the order given.
 */
export function spread(
  positions: readonly number[],
  gap: number,
  most = Number.POSITIVE_INFINITY,
): number[] {
  const order = positions.map((_, at) => at).sort((a, b) => position(a) - position(b));
  function position(at: number): number {
    return positions[at] ?? 0;
  }
  const groups: { members: number[]; center: number }[] = [];
  for (const at of order) {
    let group = { members: [at], center: position(at) };
    let before = groups.at(-1);
    while (before && bottom(group) - top(before) < gap) {
      groups.pop();
      const members = [...before.members, ...group.members];
      const mean = members.reduce((sum, member) => sum + position(member), 0) / members.length;
      group = { members, center: mean };
      before = groups.at(-1);
    }
    groups.push(group);
  }
  function bottom(group: { members: number[]; center: number }): number {
    return group.center - ((group.members.length - 1) * gap) / 2;
  }
  function top(group: { members: number[]; center: number }): number {
    return group.center + ((group.members.length - 1) * gap) / 2;
  }
  const result = [...positions];
  for (const group of groups) {
    group.members.forEach((at, rank) => {
      result[at] = bottom(group) + rank * gap;
    });
  }
  let limit = most;
  for (const at of order.toReversed()) {
    const place = Math.min(result[at] ?? 0, limit);
    result[at] = place;
    limit = place - gap;
  }
  return result;
}
