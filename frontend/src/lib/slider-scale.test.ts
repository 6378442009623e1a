import { comparison } from '../../tests/data';
import { figureOf } from './comparison';
import { rangeEnd } from './format';
import { settled, share, sliderScale } from './slider-scale';

describe('the scale of a slider', () => {
  it.each(comparison.tornado)('of $label holds its range and its value', (bar) => {
    const scale = sliderScale(bar);
    expect(Math.min(bar.low, bar.value) - scale.min).toBeLessThanOrEqual(scale.step);
    expect(scale.max - Math.max(bar.high, bar.value)).toBeLessThanOrEqual(scale.step);
    expect(scale.min).toBeLessThanOrEqual(Math.min(bar.low, bar.value));
    expect(scale.max).toBeGreaterThanOrEqual(Math.max(bar.high, bar.value));
    const steps = (scale.max - scale.min) / scale.step;
    expect(steps).toBeGreaterThan(3);
    expect(steps).toBeLessThan(1000);
    expect(share(bar.value, scale)).toBeGreaterThanOrEqual(0);
  });

  it('ends where the range ends, and no farther', () => {
    const people = sliderScale({ unit: 'FTE', value: 2, low: 1, high: 4 });
    expect([people.min, people.max]).toEqual([1, 4]);
    const growth = sliderScale({ unit: 'fraction/yr', value: 0, low: -0.1, high: 0.1 });
    expect([growth.min, growth.max]).toEqual([-0.1, 0.1]);
    const share = sliderScale({ unit: 'fraction', value: 0.9, low: 0.7, high: 0.95 });
    expect([share.min, share.max]).toEqual([0.7, 0.95]);
  });

  it('ends at what the chart of what moves the answer says, written alike', () => {
    const figure = figureOf(comparison, 'What moves the answer');
    const [low, high] = figure?.series ?? [];
    const bars = comparison.tornado.filter(({ label }) => figure?.rows.includes(label));
    expect(bars.length).toBeGreaterThan(3);
    for (const bar of bars) {
      const at = figure?.rows.indexOf(bar.label) ?? -1;
      const scale = sliderScale(bar);
      const ends = [scale.low, scale.high].map((end) => rangeEnd(end, bar.unit));
      expect(ends).toEqual([low?.texts?.[at], high?.texts?.[at]]);
    }
    const between = { unit: 'USD/h', value: 0.6, low: 0.5406, high: 0.7213 };
    const scale = sliderScale(between);
    expect(settled(scale.min, 0.6, scale)).toBe(0.5406);
    expect(settled(scale.max, 0.6, scale)).toBe(0.7213);
  });

  it('moves in whole steps where the input is whole', () => {
    const { min, step } = sliderScale({ unit: 'months', value: 4, low: 2, high: 6 });
    expect([min, step].every(Number.isInteger)).toBe(true);
  });

  it.each([
    { unit: 'fraction/yr', value: 0.225, low: 0.125, high: 0.325 },
    { unit: 'fraction/yr', value: -0.05, low: -0.15, high: 0.05 },
    { unit: 'USD/kWh', value: 0.1301, low: 0.1, high: 0.2 },
    { unit: 'USD/kWh', value: 0.21 / 0.92, low: 0.15, high: 0.3 },
    { unit: 'fraction', value: 0.987654321, low: 0.9, high: 1 },
    { unit: 'USD', value: 1_234_567.89, low: 1e6, high: 1.5e6 },
    { unit: 'nodes', value: 313, low: 100, high: 700 },
    { unit: 'ratio', value: 1.35, low: 1.2, high: 1.5, least: 1.01 },
  ])('can stand on the value that is entered: $value $unit', (bar) => {
    for (const currency of [
      { code: 'USD', per_usd: 1 },
      { code: 'EUR', per_usd: 0.92 },
    ]) {
      const scale = sliderScale(bar, currency);
      const steps = (bar.value - scale.min) / scale.step;
      expect(Math.abs(steps - Math.round(steps))).toBeLessThan(1e-6);
      expect(settled(scale.min + Math.round(steps) * scale.step, bar.value, scale)).toBe(bar.value);
      expect((scale.max - scale.min) / scale.step).toBeLessThan(1200);
      expect(scale.min).toBeGreaterThanOrEqual(bar.least ?? -1);
    }
    expect(sliderScale({ ...bar, unit: 'fraction', value: 0.9, low: 0.8, high: 1 }).max).toBe(1);
  });
});
