import { comparison } from '../../../tests/data';
import { share, sliderScale } from './slider-scale';

describe('the scale of a slider', () => {
  it.each(comparison.tornado)('of $label holds its range and its value', (bar) => {
    const scale = sliderScale(bar);
    expect(scale.min).toBeLessThanOrEqual(Math.min(bar.low, bar.value));
    expect(scale.max).toBeGreaterThanOrEqual(Math.max(bar.high, bar.value));
    const steps = (scale.max - scale.min) / scale.step;
    expect(steps).toBeGreaterThan(5);
    expect(steps).toBeLessThan(1000);
    expect(share(bar.value, scale)).toBeGreaterThanOrEqual(0);
  });

  it('does not go below zero where the input does not', () => {
    expect(sliderScale({ unit: 'FTE', value: 2, low: 1, high: 4 }).min).toBe(0);
    expect(sliderScale({ unit: 'fraction/yr', value: 0, low: -0.1, high: 0.1 }).min).toBeLessThan(
      0,
    );
  });

  it('moves in whole steps where the input is whole', () => {
    const { min, step } = sliderScale({ unit: 'months', value: 4, low: 2, high: 6 });
    expect([min, step].every(Number.isInteger)).toBe(true);
  });

  it('keeps a share at most one', () => {
    expect(sliderScale({ unit: 'fraction', value: 0.9, low: 0.7, high: 0.95 }).max).toBe(1);
  });
});
