import { substituted } from './substitute';

const term = (name: string, value: number, unit: string) => ({ name, value, unit, pointer: null });

describe('a formula with its values', () => {
  it('names no term any more, and takes longer names first', () => {
    const terms = [
      term('power', 100, 'W'),
      term('power price', 0.13, 'USD/kWh'),
      term('hours', 8760, 'h'),
    ];
    const text = substituted('energy = power * hours * power price', terms);
    expect(text.replaceAll('\u00a0', ' ')).toBe('energy = 100 W * 8,760 h * $0.13/kWh');
  });

  it('writes amounts in the currency of the study', () => {
    const price = [term('price', 100, 'USD/FTE-yr')];
    const text = substituted('staff = price', price, { code: 'EUR', per_usd: 0.5 });
    expect(text.replaceAll('\u00a0', ' ')).toBe('staff = €50/FTE-yr');
  });

  it('leaves words alone that only begin alike', () => {
    expect(substituted('powerful = power', [term('power', 1, 'W')])).toContain('powerful =');
  });
});
