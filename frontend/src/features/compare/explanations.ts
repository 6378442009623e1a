import type {
  CauseCost,
  Comparison,
  DesignResult,
  DifferenceRow,
  YearRow,
} from '../../lib/comparison';
import { currencySymbol, exact, money, percent, quantity, type Currency } from '../../lib/format';
import { numberTokens } from '../../lib/tokens';
import type { Explanation } from './explanation';
import formulas from './row-formulas.json';
import { term, type Behind } from './behind';
import { behindEven, behindRow, behindSpare, rangedTerms } from './row-terms';

const FORMULA_OF: Readonly<Record<string, string | undefined>> = formulas;

export function explainCause(
  design: DesignResult,
  cause: CauseCost,
  { currency, measure }: Comparison,
): Explanation {
  return {
    title: `${cause.label}, ${design.letter}`,
    value: money(cause.ranked_usd, currency),
    exact: exact(cause.ranked_usd, 'USD', currency),
    formula: cause.formula,
    terms: [],
    opened: { letter: design.letter, cause: cause.cause, side: cause.side },
    note:
      `${measure}. As entered it is ${money(cause.amount_usd, currency)} in cash, ` +
      `${money(cause.npv_usd, currency)} in present value.`,
  };
}

/** The formula of a row; that of the years is one for all of them, as those of teams and tiers. */
export function formulaOf(id: string): string | undefined {
  return FORMULA_OF[id.replace(/^(year|showback|tier)_\d+/, '$1')];
}

/** What stands behind a cell of the difference table. */
export function explainRow(
  row: DifferenceRow,
  design: DesignResult,
  comparison: Comparison,
): Explanation {
  const value = row.values[design.letter] ?? null;
  const reason = value === null ? row.reasons[design.letter] : undefined;
  const { note, ...behind } = behindRow(row, design, comparison);
  const notes = [reason, note === reason ? undefined : note];
  return {
    title: `${row.label}, ${design.letter}`,
    value: quantity(value, row.unit, comparison.currency),
    exact: value === null ? undefined : exact(value, row.unit, comparison.currency),
    formula: formulaOf(row.id),
    ...behind,
    ...(row.is_opened && value ? { opened: { letter: design.letter, cause: row.id } } : {}),
    note: notes.filter(Boolean).join(' ') || undefined,
  };
}

/** What is left of all resources at peak. */
export function explainSpare(design: DesignResult, text: string, why?: string): Explanation {
  const title = `Spare at peak, ${design.letter}`;
  const behind = behindSpare(design);
  return { title, value: text, formula: 'spare', ...behind, note: why ?? behind.note };
}

type YearKey = Exclude<keyof YearRow, 'year' | 'causes'>;

const YEAR_FORMULA: Record<YearKey, string> = {
  capex_usd: 'year',
  opex_usd: 'year',
  cash_usd: 'year',
  depreciation_usd: 'depreciation',
  npv_usd: 'npv',
  ranked_usd: 'mean',
};

const BOOK_INPUTS = ['/assumptions/depreciation/life_months'];
const VALUE_INPUTS = ['/assumptions/discount_fraction_per_year'];

function yearInputs(key: YearKey): string[] | undefined {
  if (key === 'depreciation_usd') return BOOK_INPUTS;
  return key === 'npv_usd' || key === 'ranked_usd' ? VALUE_INPUTS : undefined;
}

/** Columns that are no sum of a year's causes in cash: each is what the year adds to a curve. */
const RUNNING: Partial<Record<YearKey, 'cumulative_npv_usd' | 'cumulative_ranked_usd'>> = {
  npv_usd: 'cumulative_npv_usd',
  ranked_usd: 'cumulative_ranked_usd',
};

/** What a year adds to a running sum; the first has the start in it. */
function addedIn(running: readonly number[], year: number): Behind {
  const at = (months: number) => running[Math.min(months, running.length - 1)];
  const start = year > 1 ? term('Less up to its start', -(at(12 * (year - 1)) ?? 0), 'USD') : [];
  return {
    terms: [...term('Cumulative at its end', at(12 * year), 'USD'), ...start],
    note: 'What the year adds to the running sum.',
  };
}

/** What stands behind a cell of the table by year; its sum where no year is given. */
export function explainYear(
  design: DesignResult,
  key: YearKey,
  label: string,
  year: YearRow | null,
  comparison: Comparison,
): Explanation {
  const shown = year ? year[key] : design.years.reduce((total, row) => total + row[key], 0);
  const row = comparison.rows.find((entry) => entry.id === `year_${year?.year}_usd`);
  const running = RUNNING[key];
  const parts: Behind =
    year && running
      ? addedIn(design[running], year.year)
      : year && row
        ? behindRow(row, design, comparison)
        : { terms: design.years.flatMap((entry) => term(`Year ${entry.year}`, entry[key], 'USD')) };
  return {
    title: `${label}, ${year ? `year ${year.year}` : 'all years'}, ${design.letter}`,
    value: money(shown, comparison.currency),
    exact: exact(shown, 'USD', comparison.currency),
    formula: YEAR_FORMULA[key],
    terms: parts.terms,
    inputs: yearInputs(key),
    note: year ? parts.note : 'The sum of its years.',
  };
}

/** In how many simulations a design is cheapest. */
export function explainOdds(letter: string, comparison: Comparison): Explanation {
  const share = comparison.odds?.wins[letter] ?? null;
  return {
    title: `Simulations in which ${letter} is cheapest`,
    value: percent(share),
    exact: share === null ? undefined : exact(share, 'fraction'),
    formula: 'odds',
    terms: [
      ...term('Simulations', comparison.odds?.draws_count, 'count'),
      ...rangedTerms(comparison),
    ],
    note: 'Sampled from the ranges of these inputs, most influential first:',
  };
}

/** The unknowns that make another design the cheapest, nearest first. */
export function explainFlips(comparison: Comparison): Explanation {
  const found = comparison.flips.filter((flip) => flip.flips_at !== null);
  return {
    title: 'Break-even',
    value: found[0]?.label ?? (comparison.flips.length > 0 ? 'Nothing alone' : 'Not computed'),
    formula: 'flip',
    terms: found
      .slice(0, 8)
      .flatMap((flip) => [
        ...term(`${flip.label}, now`, flip.value, flip.unit, flip.pointer),
        ...term(`${flip.label}: ${flip.then ?? flip.winner_after} it`, flip.flips_at, flip.unit),
      ]),
  };
}

function explainDifference(
  one: DesignResult,
  other: DesignResult,
  currency: Currency,
): Explanation {
  const usd = Math.abs(one.ranked_usd - other.ranked_usd);
  return {
    title: `${one.letter} below ${other.letter}`,
    value: money(usd, currency),
    exact: exact(usd, 'USD', currency),
    formula: 'difference',
    terms: [
      ...term(`Cost of ${other.letter}`, other.ranked_usd, 'USD'),
      ...term(`Cost of ${one.letter}`, one.ranked_usd, 'USD'),
      ...term('Share of the more expensive design', usd / Math.abs(other.ranked_usd), 'fraction'),
    ],
  };
}

/** Stored sentences say bn. */
const SCALES: Readonly<Record<string, number>> = {
  ...Object.fromEntries(numberTokens.money_scales.map((one) => [one.suffix.trim(), one.divide_by])),
  bn: 1e9,
};
const SUFFIXES = Object.keys(SCALES).filter(Boolean).join('|');
const NUMBER = String.raw`\d(?:[\d.,]*\d)?`;

/** A sentence cut at its figures, amounts, shares and months; every second piece is one. */
export function figuresIn(sentence: string, currency: Currency): string[] {
  const symbol = currencySymbol(currency).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const figure = `${symbol}\\s?${NUMBER}(?:\\s(?:${SUFFIXES})\\b)?|${NUMBER}%|${NUMBER}\\smonths?\\b`;
  return sentence.split(new RegExp(`(${figure})`, 'u'));
}

interface Printed {
  value: number;
  unit: 'money' | 'fraction' | 'months';
  /** Half of the last digit: so far off may be what was printed. */
  slack: number;
}

function printed(text: string): Printed | null {
  const digits = new RegExp(NUMBER, 'u').exec(text)?.[0];
  if (digits === undefined) return null;
  const value = Number(digits.replaceAll(',', ''));
  const half = 0.5 * 10 ** -(digits.split('.')[1]?.length ?? 0) + 1e-9;
  if (/months?$/u.test(text)) return { value, unit: 'months', slack: 0.05 + 1e-9 };
  const unit = text.endsWith('%') ? 'fraction' : 'money';
  const scale = unit === 'fraction' ? 0.01 : (SCALES[/[a-zA-Z]+$/u.exec(text)?.[0] ?? ''] ?? 1);
  return { value: value * scale, unit, slack: half * scale };
}

function isPrinted(value: number, { value: shown, slack }: Printed): boolean {
  return Math.abs(value - shown) <= slack;
}

/** The design that the winner is so much below, by amount or by share of the dearer. */
function explainBelow(
  comparison: Comparison,
  isIt: (usd: number, share: number) => boolean,
): (() => Explanation) | undefined {
  const { designs, currency, winner } = comparison;
  const best = designs.find((design) => design.letter === winner);
  if (!best) return undefined;
  const other = designs.find((design) => {
    const usd = design.ranked_usd - best.ranked_usd;
    return design !== best && isIt(usd, usd / Math.abs(design.ranked_usd));
  });
  return other && (() => explainDifference(best, other, currency));
}

function explainMoney(shown: Printed, comparison: Comparison): (() => Explanation) | undefined {
  const { designs, currency, rows } = comparison;
  const [total] = rows;
  const is = (usd: number) => isPrinted(usd * currency.per_usd, shown);
  const cost = designs.find((design) => is(design.ranked_usd));
  if (cost && total) return () => explainRow(total, cost, comparison);
  return explainBelow(comparison, is);
}

function explainMonths(shown: Printed, comparison: Comparison): (() => Explanation) | undefined {
  const evens = comparison.break_evens.filter(
    ({ exact_months: after }) => after !== null && isPrinted(after, shown),
  );
  const even = evens.find((entry) => entry.challenger === comparison.winner) ?? evens[0];
  if (!even) return undefined;
  return () => ({
    title: `${even.challenger} breaks even with ${even.incumbent}`,
    value: quantity(even.exact_months, 'months'),
    formula: 'break_even',
    ...behindEven(even),
  });
}

/** What stands behind a figure of the verdict's sentences, found by its value. */
export function explainPrinted(
  text: string,
  comparison: Comparison,
): (() => Explanation) | undefined {
  const shown = printed(text);
  if (!shown) return undefined;
  if (shown.unit === 'money') return explainMoney(shown, comparison);
  if (shown.unit === 'months') return explainMonths(shown, comparison);
  const wins = Object.entries(comparison.odds?.wins ?? {});
  const won = wins.find(([, share]) => isPrinted(share, shown));
  const below = explainBelow(comparison, (_usd, share) => isPrinted(share, shown));
  return below ?? (won && (() => explainOdds(won[0], comparison)));
}
