import type { LayoutAxis } from 'plotly.js';
import { valueAxis } from '../../lib/axis';
import { unitLabel, type Currency } from '../../lib/format';
import { plotText, short } from '../../lib/plotting';
import type { ToldFigure } from './told';

type Axis = ToldFigure['along'];

const COMPACT = new Intl.NumberFormat('en-GB', { notation: 'compact' });

/** Ticks at 1, 2 and 5 times powers of ten where these are few, then at 1 and 3, else at powers only. */
export function ticksBetween(low: number, high: number): number[] {
  const decades = Math.log10(high / low);
  const steps = decades < 1.5 ? [1, 2, 5] : decades < 3 ? [1, 3] : [1];
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    found.push(...steps.map((step) => step * 10 ** power));
  }
  return found.filter((tick) => tick >= low && tick <= high);
}

/** As many of an axis's own ticks as have room. */
export function ownTicks({ ticks, ticks_said: said }: Axis, most: number): Partial<LayoutAxis> {
  const every = Math.ceil(ticks.length / most);
  const kept = ticks.flatMap((tick, at) =>
    at % every === 0 ? [[tick, said[at] ?? ''] as const] : [],
  );
  return {
    tickmode: 'array',
    tickvals: kept.map(([tick]) => tick),
    ticktext: kept.map(([, text]) => plotText(short(text, 18))),
    tickangle: 0,
  };
}

interface AxisOptions {
  /** Whether bars or values stand on it. */
  zero?: boolean;
  narrow?: boolean;
  /** What amounts are written in; US dollars without one. */
  currency: Currency | undefined;
  /** Free space past its ends, or its far end, as shares of the span. */
  room?: number | [number, number];
  /** About how many ticks it has. */
  count?: number;
}

/** The lowest value with some room below it; zero too when it is near. */
function lowestOf(values: readonly number[]): number {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low) * 0.25 || Math.abs(high) * 0.1 || 1;
  return low >= 0 ? Math.max(0, low - room) : low - room;
}

/** An axis with our number format; from zero where bars or values stand on it. */
export function axisOf(
  axis: Axis,
  values: readonly number[],
  { zero = false, narrow = false, currency, room: free = 0.08, count }: AxisOptions,
): Partial<LayoutAxis> {
  const own = axis.ticks.length > 0 ? ownTicks(axis, narrow ? 4 : 9) : null;
  if (axis.is_log) {
    const above = values.filter((value) => value > 0);
    const [low, high] = [Math.min(...above) / 1.2, Math.max(...above) * 1.2];
    const ticks = ticksBetween(low, high);
    // Powers of ten are long: the unit stands in the title.
    const plain = { ticktext: ticks.map((tick) => COMPACT.format(tick)), tickvals: ticks };
    const title = own
      ? axis.title
      : [axis.title, unitLabel(axis.unit, currency)].filter(Boolean).join(', ');
    return {
      type: 'log',
      range: [Math.log10(low), Math.log10(high)],
      tickmode: 'array',
      ...(own ?? plain),
      title: { text: `${title} (log)` },
    };
  }
  const room: [number, number] = own ? [0, 0] : typeof free === 'number' ? [0, free] : free;
  const low = axis.from_zero
    ? Math.min(...values, ...(zero ? [0] : []), ...axis.ticks.slice(0, 1))
    : lowestOf(values);
  const high = Math.max(...values, ...(axis.from_zero ? [0] : []), ...axis.ticks.slice(-1));
  return {
    ...valueAxis(axis.unit, { low, high, room, currency, count }),
    ...own,
    title: { text: axis.title },
  };
}
