import { niceTicks, spread, valueAxis } from './axis';

describe('an axis', () => {
  it('has round ticks within its range', () => {
    expect(niceTicks(0, 3.4e6)).toEqual([0, 1e6, 2e6, 3e6]);
    expect(niceTicks(-0.3, 0.9, 4).map((tick) => Number(tick.toFixed(6)))).toEqual([0, 0.5]);
  });

  it('writes amounts without digits that say nothing', () => {
    const { ticktext } = valueAxis('USD', { low: 0, high: 3.4e6 });
    expect((ticktext as string[]).map((text) => text.replace('\u00a0', ' '))).toEqual([
      '$0',
      '$1 M',
      '$2 M',
      '$3 M',
    ]);
  });

  it('has one unit, that of its largest tick', () => {
    const texts = (unit: string, high: number) =>
      (valueAxis(unit, { low: 0, high }).ticktext as string[]).map((text) =>
        text.replaceAll('\u00a0', ' '),
      );
    expect(texts('kWh', 1900)).toEqual(['0', '0.5 MWh', '1 MWh', '1.5 MWh']);
    expect(texts('kgCO2e', 2000)).toEqual([
      '0',
      '0.5 t CO₂e',
      '1 t CO₂e',
      '1.5 t CO₂e',
      '2 t CO₂e',
    ]);
  });

  it.each([1e-6, 1, 1e12])('copes with numbers around %d', (size) => {
    const { range, tickvals } = valueAxis('USD', { low: 0, high: size });
    expect((tickvals as number[]).length).toBeGreaterThan(1);
    expect(range?.[1]).toBeGreaterThanOrEqual(size);
  });

  it('has a range even where nothing differs', () => {
    const { range } = valueAxis('USD', { low: 0, high: 0 });
    expect(Number(range?.[1])).toBeGreaterThan(Number(range?.[0]));
  });
});

describe('labels that lie close', () => {
  it('are moved apart, in their order, around where they belong', () => {
    const placed = spread([10, 10.5, 11, 50], 4);
    expect(placed).toEqual([6.5, 10.5, 14.5, 50]);
  });

  it('stay where they are when there is room', () => {
    expect(spread([1, 20, 40], 4)).toEqual([1, 20, 40]);
  });

  it('never come closer than the gap', () => {
    const placed = spread([5, 1, 4, 2, 3, 3], 2).sort((a, b) => a - b);
    placed.slice(1).forEach((value, at) => {
      expect(value - (placed[at] ?? 0)).toBeGreaterThanOrEqual(2 - 1e-9);
    });
  });
});

it('moves labels down from above the top, and no others', () => {
  expect(spread([10, 9.5, 3], 2, 10)).toEqual([10, 8, 3]);
  expect(spread([10, 9, 8], 2, 10)).toEqual([10, 8, 6]);
});
