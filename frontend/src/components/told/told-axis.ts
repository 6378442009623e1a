import type { LayoutAxis } from 'plotly.js';
import { valueAxis } from '../../lib/axis';
import { unitLabel } from '../../lib/format';
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
  };
}

/** An axis with our number format; from zero where bars or values stand on it. */
export function axisOf(
  axis: Axis,
  values: readonly number[],
  zero: boolean,
  narrow = false,
): Partial<LayoutAxis> {
  const own = axis.ticks.length > 0 ? ownTicks(axis, narrow ? 4 : 9) : null;
  if (axis.is_log) {
    const above = values.filter((value) => value > 0);
    const [low, high] = [Math.min(...above) / 1.2, Math.max(...above) * 1.2];
    const ticks = ticksBetween(low, high);
    // Powers of ten are long: the unit stands in the title.
    const plain = { ticktext: ticks.map((tick) => COMPACT.format(tick)), tickvals: ticks };
    const title = own ? axis.title : [axis.title, unitLabel(axis.unit)].filter(Boolean).join(', ');
    return {
      type: 'log',
      range: [Math.log10(low), Math.log10(high)],
      tickmode: 'array',
      ...(own ?? plain),
      title: { text: `${title} (log)` },
    };
  }
  const low = Math.min(...values, ...(zero ? [0] : []), ...axis.ticks.slice(0, 1));
  const room: [number, number] = own ? [0, 0] : [0, 0.08];
  return {
    ...valueAxis(axis.unit, { low, high: Math.max(...values, 0), room }),
    ...own,
    title: { text: axis.title },
  };
}
