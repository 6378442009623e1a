import type { YearRow } from './comparison';
import { moneyYears, wholeParts } from './parts';

/** A printed amount as a whole number of its last digit. */
function units(text: string): number {
  const digits = Number(text.replaceAll(/\D/g, ''));
  return text.startsWith('−') ? -digits : digits;
}

/** A repeatable series of numbers in [0, 1). */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

test('parts add up to their total, each within one of its amount', () => {
  const next = chances(7);
  for (let round = 0; round < 300; round += 1) {
    const amounts = Array.from({ length: 1 + Math.floor(next() * 15) }, () => next() * 1e4 - 2e3);
    const whole = wholeParts(amounts, total(amounts));
    expect(total(whole)).toBe(Math.floor(total(amounts) + 0.5));
    whole.forEach((part, at) => expect(Math.abs(part - (amounts[at] ?? 0))).toBeLessThan(1));
  }
});

describe('printed years', () => {
  it('add up along the years, and capital and operating expenditure to what is paid', () => {
    const next = chances(11);
    for (let round = 0; round < 200; round += 1) {
      const size = 10 ** (next() * 9);
      const years = Array.from({ length: 1 + Math.floor(next() * 8) }, (_, at): YearRow => {
        const [capex, opex] = [(next() - 0.1) * size, next() * size];
        const cash = capex + opex;
        return {
          year: at + 1,
          capex_usd: capex,
          opex_usd: opex,
          cash_usd: cash,
          depreciation_usd: next() * size,
          npv_usd: cash * 0.9 ** at,
          ranked_usd: cash * 0.95 ** at,
          causes: {},
        };
      });
      const found = moneyYears(years);
      for (const { parts, total: sum } of Object.values(found)) {
        expect(total(parts.map(units))).toBe(units(sum));
      }
      found.cash_usd.parts.forEach((cash, at) => {
        const split = [found.capex_usd.parts[at], found.opex_usd.parts[at]];
        expect(total(split.map((part) => units(part ?? '')))).toBe(units(cash));
      });
    }
  });
});
