import type { TornadoBar } from './comparison';
import { niceStep } from './axis';
import { isMoney, USD, type Currency } from './format';

/** What a slider needs to know of an input; `least` and `most` are what the plan allows. */
export interface Scaled extends Pick<TornadoBar, 'unit' | 'value' | 'low' | 'high'> {
  least?: number;
  most?: number;
}

export interface SliderScale {
  min: number;
  max: number;
  step: number;
  /** The ends of the range, which round steps may reach past by less than one. */
  low: number;
  high: number;
}

const WHOLE = new Set(['count', 'months', 'nodes', 'racks']);
// How much finer than round steps a slider may be for its value to stand on one of them.
const FINER = [1, 2, 4, 5];

const isOn = (value: number, step: number) =>
  Math.abs(value / step - Math.round(value / step)) < 1e-6;

/**
 * The positions of a slider: the range of its input, as the tornado has it, in round steps.
 * The value that is entered is always one of them: the steps are finer where they have to be, and
 * start off it where it has more digits than any.
 */
export function sliderScale(of: Scaled, currency: Currency = USD): SliderScale {
  // Money is stepped through in the currency that it is shown and typed in.
  const rate = isMoney(of.unit) ? currency.per_usd : 1;
  const bar = rate === 1 ? of : inCurrency(of, rate);
  const low = Math.min(bar.low, bar.value);
  const high = Math.max(bar.high, bar.value);
  const span = high - low || Math.abs(bar.value) || 1;
  const rough = WHOLE.has(bar.unit) ? Math.max(1, Math.round(span / 50)) : niceStep(span, 100);
  const finer = FINER.map((parts) => rough / parts).find((one) => isOn(bar.value, one));
  const step = finer ?? rough;
  const offset = finer === undefined ? bar.value : 0;
  const round = (value: number) => Number(value.toPrecision(12));
  const at = (steps: number) => round(offset + steps * step);
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY } = bar;
  // Round steps may reach past the ends; others would pass 0 or 100% by a little.
  const [down, up] = offset === 0 ? [Math.floor, Math.ceil] : [Math.ceil, Math.floor];
  const first = down(round((low - offset) / step));
  // The browser counts steps from the lower end: one that is no step would move all of them.
  const lowest = Math.max(first, Math.ceil(round((least - offset) / step)));
  return {
    min: at(lowest) / rate,
    max: Math.min(at(up(round((high - offset) / step))), most) / rate,
    step: round(step) / rate,
    low: Math.min(of.low, of.value),
    high: Math.max(of.high, of.value),
  };
}

function inCurrency(of: Scaled, rate: number): Scaled {
  const times = (value: number) => Number((value * rate).toPrecision(12));
  const limit = (value?: number) => (value === undefined ? value : times(value));
  return {
    unit: of.unit,
    value: times(of.value),
    low: times(of.low),
    high: times(of.high),
    least: limit(of.least),
    most: limit(of.most),
  };
}

/** Where a slider was let go, within its range: the value entered where it is that but for its last digits. */
export function settled(at: number, saved: number, { step, low, high }: SliderScale): number {
  return Math.abs(at - saved) < step * 1e-6 ? saved : Math.min(Math.max(at, low), high);
}

export function share(value: number, scale: SliderScale): number {
  const at = (value - scale.min) / (scale.max - scale.min);
  return Math.min(1, Math.max(0, at));
}
