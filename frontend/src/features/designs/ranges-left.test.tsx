import { leftAfter, type RangeLeft } from './ranges-left';

const left = (before: number, after: number, low = 1.2, high = 1.4): RangeLeft => ({
  pointer: '/assumptions/pue',
  message: '',
  before,
  after,
  low,
  high,
  mean: 1.5,
  moved_low: low * (after / before),
  moved_high: high * (after / before),
});

describe('ranges that no longer fit', () => {
  it('count two saves of one edit as one change from the first value', () => {
    const [one] = leftAfter(
      leftAfter([], [left(1.3, 1.9)], () => 1.9),
      [left(1.9, 1.95)],
      () => 1.95,
    );
    expect(one).toMatchObject({ before: 1.3, after: 1.95 });
    expect(one?.moved_low).toBeCloseTo(1.8, 9);
    expect(one?.moved_high).toBeCloseTo(2.1, 9);
  });

  it('are noted once, however often one answer is', () => {
    const first = leftAfter([], [left(1.3, 1.9)], () => 1.9);
    const second = leftAfter(first, [left(1.9, 1.95)], () => 1.95);
    expect(leftAfter(second, [left(1.9, 1.95)], () => 1.95)).toEqual(second);
  });

  it('go when the value goes back, and stay while another input is changed', () => {
    const held = leftAfter([], [left(1.3, 1.9)], () => 1.9);
    expect(leftAfter(held, [], () => 1.3)).toEqual([]);
    expect(leftAfter(held, [], () => 1.9)).toEqual(held);
    expect(leftAfter(held, [], () => undefined)).toEqual(held);
  });

  it('begin anew where the range is another', () => {
    const held = leftAfter([], [left(1.3, 1.9)], () => 1.9);
    expect(leftAfter(held, [left(1.9, 3, 1.8, 2)], () => 3)).toEqual([left(1.9, 3, 1.8, 2)]);
  });
});
