import type { YearRow } from './comparison';
import { currencySymbol, USD, type Currency } from './format';
import { numberTokens } from './tokens';

// A column is printed to so many digits at least; the twin of `capmodels/printed.py`.
const DIGITS = 4;
const CENTS = 2;
const MOST_DECIMALS = 12;
// Below it cents say too little.
const LEAST_IN_CENTS = 0.1;

/**
 * Whole numbers next to amounts that add up to their total, itself rounded half up. By largest
 * remainder: what cutting leaves missing goes to the amounts that lost most, earlier ones first.
 */
export function wholeParts(amounts: readonly number[], total: number): number[] {
  const whole = amounts.map(Math.floor);
  const missing = Math.floor(total + 0.5) - whole.reduce((sum, part) => sum + part, 0);
  const lost = amounts.map((amount, at) => ({ at, loss: amount - (whole[at] ?? 0) }));
  for (const { at } of lost.sort((a, b) => b.loss - a.loss).slice(0, Math.max(missing, 0))) {
    whole[at] = (whole[at] ?? 0) + 1;
  }
  return whole;
}

interface Unit {
  currency: Currency;
  divideBy: number;
  decimals: number;
  suffix: string;
}

function unitFor(largestUsd: number, currency: Currency): Unit {
  const magnitude = Math.abs(largestUsd) * currency.per_usd;
  const least = 10 ** (DIGITS - 1);
  const scale = numberTokens.money_scales.find(
    ({ divide_by }) => divide_by > 1 && magnitude >= least * divide_by,
  );
  if (scale) {
    return { currency, divideBy: scale.divide_by, decimals: 0, suffix: scale.suffix };
  }
  const places = DIGITS - 1 - Math.floor(Math.log10(magnitude));
  const tiny = magnitude < LEAST_IN_CENTS ? Math.min(places, MOST_DECIMALS) : CENTS;
  const decimals = magnitude > 0 && magnitude < least ? tiny : 0;
  return { currency, divideBy: 1, decimals, suffix: '' };
}

function unitsOf(usd: number, { currency, divideBy, decimals }: Unit): number {
  return ((usd * currency.per_usd) / divideBy) * 10 ** decimals;
}

function nearest(usd: number, unit: Unit): number {
  return Math.floor(unitsOf(usd, unit) + 0.5);
}

function text(units: number, { currency, decimals, suffix }: Unit): string {
  const symbol = currencySymbol(currency);
  if (units === 0) return `${symbol}0`;
  const digits = BigInt(Math.abs(units))
    .toString()
    .padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  const whole = BigInt(digits.slice(0, cut)).toLocaleString('en-GB');
  const cents = decimals > 0 ? `.${digits.slice(cut)}` : '';
  const sign = units < 0 ? numberTokens.minus : '';
  return `${sign}${symbol}${whole}${cents}${suffix.replaceAll(' ', numberTokens.space)}`;
}

export interface PrintedParts {
  parts: string[];
  total: string;
}

const FIELDS = ['capex_usd', 'opex_usd', 'depreciation_usd', 'cash_usd', 'npv_usd'] as const;

type YearField = Exclude<keyof YearRow, 'year' | 'causes'>;

/**
 * The lines of a year-by-year table: every line adds up to its total, and in every year capital
 * and operating expenditure to what is paid. The latter is what the former leaves of it.
 */
export function moneyYears(
  years: readonly YearRow[],
  currency: Currency = USD,
): Record<YearField, PrintedParts> {
  const sum = (field: YearField) => years.reduce((total, year) => total + year[field], 0);
  const totals = FIELDS.map(sum);
  const unit = unitFor(Math.max(0, ...totals.map(Math.abs)), currency);
  const amounts = (field: YearField) => years.map((year) => unitsOf(year[field], unit));
  const printed = (units: readonly number[], total: number): PrintedParts => ({
    parts: units.map((part) => text(part, unit)),
    total: text(total, unit),
  });
  const line = (field: YearField) => {
    const total = nearest(sum(field), unit);
    return { units: wholeParts(amounts(field), total), total };
  };
  const [cash, depreciation] = [line('cash_usd'), line('depreciation_usd')];
  const [npv, ranked] = [line('npv_usd'), line('ranked_usd')];
  const split = [unitsOf(sum('capex_usd'), unit), unitsOf(sum('opex_usd'), unit)];
  const [bought = 0] = wholeParts(split, cash.total);
  const capex = wholeParts(amounts('capex_usd'), bought);
  const opex = cash.units.map((paid, at) => paid - (capex[at] ?? 0));
  return {
    capex_usd: printed(capex, bought),
    opex_usd: printed(opex, cash.total - bought),
    depreciation_usd: printed(depreciation.units, depreciation.total),
    cash_usd: printed(cash.units, cash.total),
    npv_usd: printed(npv.units, npv.total),
    ranked_usd: printed(ranked.units, ranked.total),
  };
}
