import type { TornadoBar } from '../../lib/comparison';
import { niceStep } from '../../lib/axis';

/** What a slider needs to know of an input; `least` and `most` are what the plan allows. */
export interface Scaled extends Pick<TornadoBar, 'unit' | 'value' | 'low' | 'high'> {
  least?: number;
  most?: number;
}

export interface SliderScale {
  min: number;
  max: number;
  step: number;
}

const WHOLE = new Set(['count', 'months', 'nodes', 'racks']);
const ROOM = 0.5;

/** The positions of a slider: the input's range with half of it more at each end, in round steps. */
export function sliderScale(bar: Scaled): SliderScale {
  const low = Math.min(bar.low, bar.value);
  const high = Math.max(bar.high, bar.value);
  const span = high - low || Math.abs(bar.value) || 1;
  const step = WHOLE.has(bar.unit) ? Math.max(1, Math.round(span / 50)) : niceStep(span, 100);
  const below = low - span * ROOM;
  // What cannot be negative starts at zero when zero is near.
  const floor = low >= 0 && below < span * 0.25 ? 0 : below;
  const top = high + span * ROOM;
  const ceiling = bar.unit === 'fraction' ? Math.min(high <= 1 ? 1 : top, top) : top;
  const digits = Math.max(0, Math.ceil(-Math.log10(step)) + 1);
  const round = (value: number) => Number(value.toFixed(digits));
  return {
    min: Math.max(round(Math.floor(floor / step) * step), bar.least ?? Number.NEGATIVE_INFINITY),
    max: Math.min(round(Math.ceil(ceiling / step) * step), bar.most ?? Number.POSITIVE_INFINITY),
    step: round(step),
  };
}

export function share(value: number, scale: SliderScale): number {
  const at = (value - scale.min) / (scale.max - scale.min);
  return Math.min(1, Math.max(0, at));
}
