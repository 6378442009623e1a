import type { LayoutAxis } from 'plotly.js';
import { valueAxis } from '../../lib/axis';
import { unitLabel } from '../../lib/format';
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

/** An axis with our number format; from zero where bars or values stand on it. */
export function axisOf(axis: Axis, values: readonly number[], zero: boolean): Partial<LayoutAxis> {
  if (axis.is_log) {
    const [low, high] = [Math.min(...values) / 1.2, Math.max(...values) * 1.2];
    const ticks = ticksBetween(low, high);
    return {
      type: 'log',
      range: [Math.log10(low), Math.log10(high)],
      tickmode: 'array',
      tickvals: ticks,
      // Powers of ten are long: the unit stands in the title.
      ticktext: ticks.map((tick) => COMPACT.format(tick)),
      title: { text: `${[axis.title, unitLabel(axis.unit)].filter(Boolean).join(', ')} (log)` },
    };
  }
  const low = Math.min(...values, ...(zero ? [0] : []));
  return {
    ...valueAxis(axis.unit, { low, high: Math.max(...values, 0), room: [0, 0.08] }),
    title: { text: axis.title },
  };
}
