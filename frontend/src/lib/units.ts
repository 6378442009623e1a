import { currencySymbol, unitLabel, USD, type Currency } from './format';

const PERCENT = 100;

function isShare(unit: string): boolean {
  return unit === 'fraction' || unit.startsWith('fraction/');
}

/** Takes off what floating point adds: 0.07 x 100 is 7, not 7.000000000000001. */
function clean(value: number): number {
  return Number(value.toPrecision(12));
}

/** Whether a number is held in US dollars: an amount, or a price of something. */
export function isMoney(unit: string): boolean {
  return unit === 'USD' || unit.startsWith('USD/');
}

function inDollars(unit: string, currency: Currency): boolean {
  return !isMoney(unit) || currency.per_usd === 1;
}

/** A stored value as it is typed: shares in percent, money in the study's currency. */
export function toTyped(value: number, unit: string, currency: Currency = USD): number {
  if (isShare(unit)) return clean(value * PERCENT);
  return inDollars(unit, currency) ? value : clean(value * currency.per_usd);
}

export function fromTyped(value: number, unit: string, currency: Currency = USD): number {
  if (isShare(unit)) return clean(value / PERCENT);
  // Every digit is kept, so that the amount comes back as it was typed.
  return inDollars(unit, currency) ? value : value / currency.per_usd;
}

/** The unit that stands beside a field. */
export function typedUnit(unit: string | undefined, currency: Currency = USD): string {
  return unitLabel(unit, currency);
}

const SCALES: Record<string, number> = { k: 1e3, m: 1e6, b: 1e9 };

/** What somebody typed as a number: 1,234.5; 52.5k; −3; 1.5 M. Null when it is none. */
export function parseTyped(text: string): number | null {
  const tidy = text
    .trim()
    .replaceAll(/[,\s\u00a0']/g, '')
    .replace('−', '-');
  const match = /^(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([kmb]?)$/i.exec(tidy);
  if (!match) return null;
  const scale = SCALES[match[2]?.toLowerCase() ?? ''] ?? 1;
  const value = Number(match[1]) * scale;
  return Number.isFinite(value) ? clean(value) : null;
}

const BYTES: Record<string, number> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  pb: 1e15,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
  pib: 2 ** 50,
};

/** Bytes in the unit of a field: TB, GiB, TB/month; nothing where it does not hold data. */
function bytesOf(unit: string): number | undefined {
  return BYTES[(unit.split('/')[0] ?? '').toLowerCase()];
}

const SIGN = /^[-−]/;

/** The amount without its currency, which stands before or after it; null without that one. */
function without(text: string, names: readonly string[]): string | null {
  const sign = SIGN.exec(text)?.[0] ?? '';
  const amount = text.slice(sign.length).trim();
  const upper = amount.toUpperCase();
  for (const name of names) {
    if (upper.startsWith(name)) return sign + amount.slice(name.length).trim();
    if (upper.endsWith(name)) return sign + amount.slice(0, -name.length).trim();
  }
  return null;
}

/** An amount in US dollars, as somebody typed it in them or in the study's currency. */
function readMoney(text: string, currency: Currency): number | null {
  const own = without(text, [currency.code, currencySymbol(currency).trim().toUpperCase()]);
  const dollars = own === null ? without(text, ['USD', 'US$', '$']) : null;
  const number = parseTyped(own ?? dollars ?? text);
  return number === null || dollars !== null ? number : fromTyped(number, 'USD', currency);
}

/**
 * A number with its unit as somebody typed it, in the unit of the field: 2 TiB for GiB is 2,048;
 * 30% for a share is 0.3; $1.2k is 1,200. Without a unit of its own it is in the field's, a
 * share in percent, money in the study's currency. Null when it is none, or of another kind.
 */
export function readTyped(text: string, unit: string, currency: Currency = USD): number | null {
  const trimmed = text.trim();
  const data = /^(.*?)\s*([kmgtp]?i?b)$/i.exec(trimmed);
  const [own, field] = [BYTES[data?.[2]?.toLowerCase() ?? ''], bytesOf(unit)];
  if (data && own !== undefined && field !== undefined) {
    const number = parseTyped(data[1] ?? '');
    return number === null ? null : clean((number * own) / field);
  }
  if (trimmed.endsWith('%')) {
    const number = parseTyped(trimmed.slice(0, -1));
    return number !== null && isShare(unit) ? clean(number / PERCENT) : null;
  }
  if (isMoney(unit)) return readMoney(trimmed, currency);
  const number = parseTyped(trimmed);
  return number === null ? null : fromTyped(number, unit);
}

const MS_PER_S = 1000;

/** What a field shows of a number in the unit it is typed in, and what it holds of one typed. */
export interface TypedIn {
  shown: (value: number) => number;
  held: (value: number) => number;
  /** Whether more of the one is less of the other: a rate, held as the time between events. */
  inverse: boolean;
}

/** From a field's unit to that which it is typed in and back: 1,024 bytes a KiB; 10 ms is 100/s. */
export function typedIn(unit: string | undefined, typed: string | undefined): TypedIn {
  if (unit === 'ms' && typed === '1/s') {
    const other = (value: number) => clean(MS_PER_S / value);
    return { shown: other, held: other, inverse: true };
  }
  const scale = typed === undefined ? 1 : (bytesOf(typed) ?? 1) / (bytesOf(unit ?? '') ?? 1);
  return { shown: (value) => value / scale, held: (value) => value * scale, inverse: false };
}

const TINY = 1e-6;

/** A number in a field: every digit, thousands apart, true minus. */
export function typedText(value: number, unit: string, currency: Currency = USD): string {
  if (unit === 'calendar year') return value.toFixed(0);
  const shown = toTyped(value, unit, currency);
  // 1e-14 is read, and typed, more surely than its zeros are counted.
  if (shown !== 0 && Math.abs(shown) < TINY) return String(shown).replace(/^-/, '−');
  const text = Math.abs(shown).toLocaleString('en-GB', { maximumSignificantDigits: 15 });
  return shown < 0 ? `−${text}` : text;
}
