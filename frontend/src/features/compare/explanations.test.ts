import { comparison } from '../../../tests/data';
import { exact, percent, quantity } from '../../lib/format';
import {
  explainCause,
  explainFlips,
  explainOdds,
  explainPrinted,
  explainRow,
  explainSpare,
  explainYear,
  figuresIn,
} from './explanations';

const nth = <T>(list: readonly T[], at = 0): T => list[at] as T;
const cells = comparison.rows.flatMap((row) =>
  comparison.designs.map((design) => ({ row, design })),
);

function figures(text: string): string[] {
  return figuresIn(text.replaceAll('**', ''), comparison.currency).filter((_, at) => at % 2 === 1);
}

describe('what stands behind a figure', () => {
  it.each(comparison.rows.map((row) => row.id))('has a formula for the row %s', (id) => {
    const row = comparison.rows.find((entry) => entry.id === id);
    const design = comparison.designs[0];
    expect(row && design && explainRow(row, design, comparison).formula).toBeDefined();
  });

  it('names parts or inputs of every value of the table, or opens it', () => {
    const bare = cells
      .filter(({ row, design }) => row.values[design.letter] !== null)
      .filter(({ row, design }) => {
        const { terms, inputs = [], opened } = explainRow(row, design, comparison);
        return terms.length + inputs.length === 0 && !opened;
      });
    expect(bare).toEqual([]);
  });

  it('says nothing in dollars of a study in euros', () => {
    const euros = {
      ...comparison,
      currency: { ...comparison.currency, code: 'EUR', per_usd: 0.5 },
    };
    const design = nth(euros.designs, 3);
    // Work per amount is in the currency of the answer, which its unit names.
    const rows = euros.rows.filter(({ id }) => id !== 'work_per_usd');
    const all = [
      ...rows.flatMap((row) => euros.designs.map((of) => explainRow(row, of, euros))),
      ...design.causes.map((cause) => explainCause(design, cause, euros)),
      ...design.years.map((year) => explainYear(design, 'cash_usd', 'Cash', year, euros)),
      ...euros.designs.map(({ letter }) => explainOdds(letter, euros)),
      explainFlips(euros),
    ];
    const texts = all.flatMap(({ title, value, exact: every, note, terms }) => [
      ...[title, value, every, note],
      ...terms.map(({ name }) => name),
    ]);
    expect(texts.filter((text) => text?.includes('€')).length).toBeGreaterThan(50);
    expect(texts.filter((text) => text?.includes('$'))).toEqual([]);
  });

  it('sums the present values of the causes to the present value of the design', () => {
    const row = nth(comparison.rows.filter((entry) => entry.id === 'npv_usd'));
    for (const design of comparison.designs) {
      const { terms } = explainRow(row, design, comparison);
      const sum = terms.reduce((total, { value }) => total + value, 0);
      expect(sum / design.npv_usd).toBeCloseTo(1, 9);
    }
  });

  it('sums the means of the causes to the mean of the design, on one basis', () => {
    const row = nth(comparison.rows.filter((entry) => entry.id === 'mean_usd'));
    for (const design of comparison.designs) {
      const labels = new Set(design.causes.map(({ label }) => label));
      const { terms } = explainRow(row, design, comparison);
      const parts = terms.filter(({ name, pointer }) => labels.has(name) && !pointer);
      const sum = parts.reduce((total, { value }) => total + value, 0);
      expect(sum / nth([design.mean_usd ?? Number.NaN])).toBeCloseTo(1, 9);
    }
  });

  it.each(['npv_usd', 'ranked_usd'] as const)('adds up to the %s of a year', (key) => {
    for (const design of comparison.designs)
      for (const year of design.years) {
        const { terms } = explainYear(design, key, 'Column', year, comparison);
        const sum = terms.reduce((total, { value }) => total + value, 0);
        expect(sum).toBeCloseTo(year[key], 3);
      }
  });

  it('holds each design against the one that its months to pay off are against', () => {
    const rows = comparison.rows.filter(({ id }) => id.startsWith('break_even'));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows)
      for (const { letter, ...rest } of comparison.designs) {
        const { terms, note } = explainRow(row, { letter, ...rest }, comparison);
        const crossing = terms.find(({ name }) => name.startsWith('Lines cross'));
        expect(crossing?.value ?? null).toBe(row.values[letter]);
        expect(note).toMatch(new RegExp(`\\b${row.rivals?.[letter]}\\b`, 'u'));
      }
  });

  it('says of what simulations say the figure of the cell itself', () => {
    const of: Record<string, (value: (name: RegExp) => number, letter: string) => number> = {
      mean_usd: (value) => value(/^Mean$/u),
      p10_usd: (value) => value(/^P10$/u),
      p50_usd: (value) => value(/^P50$/u),
      p90_usd: (value) => value(/^P90$/u),
      regret_usd: (value) => value(/^Cost of/u) - value(/^Cheapest of each/u),
      win_fraction: (value, letter) => value(new RegExp(`^${letter} costs least`, 'u')),
      near_fraction: (value, letter) => value(new RegExp(`^${letter} is within 1%`, 'u')),
      met_fraction: (value, letter) => value(new RegExp(`^${letter} meets demand`, 'u')),
      unmet_h_per_year: (value, letter) => value(new RegExp(`^${letter} is short`, 'u')),
    };
    for (const [id, figure] of Object.entries(of)) {
      const row = nth(comparison.rows.filter((entry) => entry.id === id));
      for (const design of comparison.designs) {
        const { terms } = explainRow(row, design, comparison);
        const value = (name: RegExp) =>
          terms.find((entry) => name.test(entry.name))?.value ?? Number.NaN;
        expect(figure(value, design.letter), `${id} ${design.letter}`).toBeCloseTo(
          row.values[design.letter] ?? Number.NaN,
          4,
        );
      }
    }
  });

  it('prints of the spare what gives the cell by its formula', () => {
    const rows = comparison.rows.filter(({ id }) => id.startsWith('spare_'));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows)
      for (const design of comparison.designs) {
        const left = row.values[design.letter];
        if (left == null) continue;
        const [needed, limit, there] = explainRow(row, design, comparison).terms.map(
          ({ value }) => value,
        );
        expect(1 - (nth([needed]) ?? 0) * ((limit ?? 0) / (there ?? 0))).toBeCloseTo(left, 9);
      }
  });

  it('gives the crossing its own month, not a rounded one', () => {
    const row = nth(comparison.rows.filter((entry) => entry.id.startsWith('break_even')));
    const texts = comparison.designs
      .flatMap((design) => explainRow(row, design, comparison).terms)
      .filter(({ name }) => name.startsWith('Lines cross'))
      .map(({ value, unit }) => Math.abs(Number(quantity(value, unit)) - value));
    expect(texts.length).toBeGreaterThan(0);
    expect(Math.max(...texts)).toBeLessThanOrEqual(0.05);
  });

  it('opens energy and what a TB-year costs line by line, as causes are', () => {
    const opened = cells.filter(({ row, design }) => row.is_opened && row.values[design.letter]);
    expect(new Set(opened.map(({ row }) => row.id))).toContain('energy_kwh');
    for (const { row, design } of opened)
      expect(explainRow(row, design, comparison).opened).toEqual({
        letter: design.letter,
        cause: row.id,
      });
  });

  it('lists no unknown of another design beside the range of one', () => {
    const rows = comparison.rows.filter(({ id }) => /^(mean|p\d0)_usd$/.test(id));
    for (const row of rows)
      for (const design of comparison.designs.filter(({ kind }) => kind !== 'hybrid')) {
        const { terms } = explainRow(row, design, comparison);
        const others = terms
          .map(({ pointer }) => pointer ?? '')
          .filter((pointer) => /^\/designs\//.test(pointer))
          .filter((pointer) => !pointer.startsWith(`/designs/${design.letter}/`));
        expect(others).toEqual([]);
      }
  });

  it('says of a value that is missing why it is', () => {
    const missing = cells.filter(({ row, design }) => row.values[design.letter] === null);
    expect(missing.length).toBeGreaterThan(0);
    for (const { row, design } of missing) {
      expect(explainRow(row, design, comparison).note).toContain(row.reasons[design.letter]);
    }
  });

  it('gives capex and opex of a year, which are its cash', () => {
    const design = nth(comparison.designs, 3);
    const year = nth(design.years);
    const { terms, formula } = explainYear(design, 'cash_usd', 'Cash', year, comparison);
    const value = (name: string) => terms.find((entry) => entry.name === name)?.value ?? Number.NaN;
    expect(formula).toBe('year');
    expect(value('Capex') + value('Opex')).toBeCloseTo(year.cash_usd, 6);
    const all = explainYear(design, 'cash_usd', 'Cash', null, comparison);
    expect(all.exact).toBe(exact(design.total_usd, 'USD'));
    expect(all.terms).toHaveLength(design.years.length);
  });

  it('leads from odds and flips to the inputs that they were drawn from', () => {
    const odds = explainOdds('E', comparison);
    expect(odds.value).toBe(percent(comparison.odds?.wins['E'] ?? null));
    expect(odds.terms.filter((entry) => entry.pointer !== null)).toHaveLength(5);
    const [first] = explainFlips(comparison).terms;
    expect(first).toMatchObject({ pointer: nth(comparison.flips).pointer });
    expect(explainSpare(nth(comparison.designs), 'RAM 11%').terms.length).toBeGreaterThan(0);
  });
});

describe('figures of the verdict', () => {
  it('are amounts, shares and months, and nothing else', () => {
    const { headline, payoff, odds } = comparison.verdict;
    const texts = [headline, payoff ?? '', odds ?? ''];
    const all = texts.flatMap(figures);
    expect(all.length).toBeGreaterThan(6);
    expect(
      all.filter((text) => !/^(\$[\d.,]+( [kM])?|[\d.]+%|[\d.]+ months?)$/u.test(text)),
    ).toEqual([]);
    expect(all.reduce((left, text) => left.replace(text, ''), texts.join(' '))).not.toMatch(/[$%]/);
    const large = ['$4.56 B', '$1,000 T', '$1.20 bn', '$31.70'];
    expect(figures(large.join(' or '))).toEqual(large);
  });

  it('open what they are of', () => {
    const title = (text: string) => explainPrinted(text, comparison)?.().title;
    const { winner, verdict, break_evens: evens } = comparison;
    const cost = figures(verdict.headline).find((text) => text.startsWith('$'));
    expect(title(cost ?? '')).toBe(`Present value, 3 years, mean, ${winner}`);
    const even = nth(evens.filter((one) => one.exact_months !== null && one.discounted));
    expect(title(quantity(even.exact_months, 'months'))).toBe(
      `${even.challenger} breaks even with ${even.incumbent}`,
    );
    const [likely = '', share] = nth(Object.entries(comparison.odds?.wins ?? {}));
    expect(title(percent(share ?? null))).toBe(`Simulations in which ${likely} is cheapest`);
    expect(title('$9.99 M')).toBeUndefined();
  });
});
