import { currencySymbol, date, isMoney, unitLabel, USD, type Currency } from './format';
import {
  numberMark,
  numberText,
  parseNumber,
  surelyRead,
  wholeAmount,
  type Mark,
} from './typed-number';
import { exampleOf, factorBetween, isCountOf } from './unit-words';

const PERCENT = 100;

function isShare(unit: string): boolean {
  return unit === 'fraction' || unit.startsWith('fraction/');
}

/** Takes off what floating point adds: 0.07 x 100 is 7, not 7.000000000000001. */
function clean(value: number): number {
  return Number(value.toPrecision(12));
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

const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^(?:k|tsd\.?|thousand|tausend)(?![a-z])/i, 1e3],
  // T€, TEUR, kEUR and MEUR; a T alone is tera or a tonne.
  [/^[kt](?=\s*(?:[€$£]|eur|usd|chf|gbp))/i, 1e3],
  [/^m(?=eur|usd|chf|gbp)/i, 1e6],
  [/^(?:m|mn|mio\.?|millions?|millionen)(?![a-z])/i, 1e6],
  [/^(?:b|bn|mrd\.?|billions?|milliarden?)(?![a-z])/i, 1e9],
];

/** Parts of a currency: 21 ct/kWh. */
const CENTS = [/^(?:ct\.?|cents?)(?![a-z])/i, 0.01] as const;

// Of most families of instances; no list of machines that the catalogue holds names another.
const THREADS_PER_CORE = 2;

/** What a field is read with besides its unit. */
export interface TypedContext {
  /** What the field counts, from its name: drives, GPUs. */
  name?: string;
  mark?: Mark;
  /** What the field's schema allows of a number, in the unit that is typed. */
  bounds?: Bounds;
}

export interface Bounds {
  type?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
}

/** Whether only whole numbers are taken: of what is counted and may vary too. */
export const isWholeOnly = ({ type, multipleOf }: Bounds) => type === 'integer' || multipleOf === 1;

function isWithin(value: number, bounds: Bounds): boolean {
  const {
    minimum = Number.NEGATIVE_INFINITY,
    maximum = Number.POSITIVE_INFINITY,
    exclusiveMinimum: above = Number.NEGATIVE_INFINITY,
    exclusiveMaximum: below = Number.POSITIVE_INFINITY,
  } = bounds;
  const isKind = !isWholeOnly(bounds) || Number.isInteger(value);
  return isKind && value >= minimum && value <= maximum && value > above && value < below;
}

/** A number in words that a field takes, where the usual example of its unit is outside of it. */
function exampleWithin(unit: string, currency: Currency, bounds: Bounds): string {
  const usual = exampleOf(unit, currency).split(' or ');
  const context = { name: unit, mark: '.' as const };
  const fits = usual.filter((one) => {
    const read = readTyped(one, unit, currency, context);
    return read !== null && isWithin(read, bounds);
  });
  if (fits.length > 0) return fits.join(' or ');
  const low = bounds.minimum ?? bounds.exclusiveMinimum ?? 0;
  const high = bounds.maximum ?? bounds.exclusiveMaximum ?? low + 2 * (Math.abs(low) || 4);
  const middle = Number(((low + high) / 2).toPrecision(2));
  const tries = [12, middle, Math.round(middle), high, low];
  const value = tries.find((one) => one !== 0 && isWithin(one, bounds));
  if (value === undefined) return usual.join(' or ');
  const label = typedUnit(unit, currency);
  const gap = label === '' || /^[%/]/.test(label) ? '' : ' ';
  return `${Number(toTyped(value, unit, currency).toPrecision(3))}${gap}${label}`;
}

export interface ReadAmount {
  /** In the unit that the field holds: money in US dollars, shares as fractions. */
  value: number;
  /** What it took to get there, where that is not in the units. */
  note?: string;
}

const AMOUNT =
  /^([-+−]?)\s*([a-z]{3}(?![a-z])|euros?(?![a-z])|us\$|[$€£¥])?\s*([-+−]?)\s*([0-9.,][0-9.,'’\s]*(?:e[+-]?[0-9]+(?![a-z]))?)\s*(\D.*)?$/i;
const NEGATIVE = /^\((.+)\)$|^(.+\d)-$/;

const isCores = (unit: string, name: string) =>
  unit === 'cores' || (unit === 'count' && isCountOf('cores', '', name));

/** By what a number is multiplied for the words after it; null where they are not the field's. */
function factorOf(words: string, unit: string, context: TypedContext, own: Currency) {
  const { name = '' } = context;
  if (words === '') return { factor: 1 };
  const note = `at ${THREADS_PER_CORE} threads per core; where a vCPU is a whole core, enter`;
  if (isCores(unit, name) && isCountOf('vcpu', words, '')) {
    return { factor: 1 / THREADS_PER_CORE, note: `${note} cores` };
  }
  if (unit === 'vCPU' && isCountOf('core', words, ''))
    return { factor: THREADS_PER_CORE, note: `${note} vCPUs` };
  if (isCountOf(words, unit, name) || (unit === 'ratio' && /^[x×]$/i.test(words))) {
    return { factor: 1 };
  }
  const factor = factorBetween(words, unit, own);
  return factor === null ? null : { factor };
}

/**
 * A number with the words beside it as somebody typed it, in the unit of the field: 2 TiB for GiB
 * is 2,048; 22%/yr for a share a year 0.22; 840 vCPU for cores 420; EUR 1.2k 1,200 euros; 48
 * months for years 4. Without words it is in the field's own: a share in percent, money in the
 * study's currency. Null when it is none, or of another kind.
 */
export function readAmount(
  text: string,
  unit: string,
  currency: Currency = USD,
  context: TypedContext = {},
): ReadAmount | null {
  const tidy = wholeAmount(text.trim());
  const negative = NEGATIVE.exec(tidy);
  const match = AMOUNT.exec(negative?.[1] ?? negative?.[2] ?? tidy);
  if (!match) return null;
  const [, before = '', sold = '', after = '', digits = '', rest = ''] = match;
  const number = parseNumber(`${before || after}${digits}`, context.mark);
  if (number === null || (before && after)) return null;
  const own: Currency = { code: currency.code, per_usd: 1 };
  const scales = isMoney(unit) ? [...SCALES, CENTS] : SCALES;
  for (const [words, scale] of [[rest, 1] as const, ...scaled(rest, scales)]) {
    const sum = isMoney(unit) ? soldIn(sold, words, own) : { words, isOwn: false };
    if (sum === null || (sold && !isMoney(unit))) continue;
    const found = factorOf(sum.words.trim(), unit, context, sum.isOwn ? own : USD);
    if (found === null) continue;
    const signed = (negative ? -number : number) * scale * found.factor;
    const amount = scale * found.factor === 1 ? signed : clean(signed);
    return isMoney(unit) && !sum.isOwn
      ? { value: amount, note: rateOf(currency, context.mark) }
      : { value: fromTyped(amount, unit, currency), note: found.note };
  }
  return null;
}

/** At what rate dollars are taken into the currency of a study; nothing where it is theirs. */
function rateOf({ code, per_usd, as_of }: Currency, mark?: Mark): string | undefined {
  if (per_usd === 1) return undefined;
  const day = as_of ? `, the rate of ${date(as_of)}` : '';
  return `at ${numberText(per_usd, mark)} ${code} per US dollar${day}`;
}

/** What is left after a scale such as k or Mio., with the scale; none where there is no scale. */
function scaled(rest: string, scales: typeof SCALES): (readonly [string, number])[] {
  return scales
    .filter(([word]) => word.test(rest))
    .map(([word, scale]) => [rest.replace(word, '').trim(), scale]);
}

const DOLLARS = /^(?:usd|us\$|\$)(?![a-z])/i;

/** An amount's words with its currency first, and whether that is the study's own, as without one. */
function soldIn(sold: string, words: string, own: Currency) {
  const [symbol, code] = [currencySymbol(own).trim().toLowerCase(), own.code.toLowerCase()];
  const said = sold ? `${sold}${words && !words.startsWith('/') ? '/' : ''}${words}` : words;
  const small = said.toLowerCase();
  const isOwn = [symbol, code].some((name) => small.startsWith(name));
  if (isOwn || DOLLARS.test(said)) return { words: said, isOwn };
  if (sold) return null;
  const isRate = said === '' || /^(?:\/|per\b|an?\b|p\.?a)/i.test(said);
  return isRate
    ? { words: `${code}${said && !said.startsWith('/') ? ' ' : ''}${said}`, isOwn: true }
    : null;
}

/** The number of `readAmount` alone. */
export function readTyped(
  text: string,
  unit: string,
  currency: Currency = USD,
  context: TypedContext = {},
): number | null {
  return readAmount(text, unit, currency, context)?.value ?? null;
}

const CODES: Record<string, string> = {
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  euro: 'EUR',
  euros: 'EUR',
};

/** The currency that an amount of money names, where the study is planned in another one. */
export function otherCurrency(text: string, unit: string, currency: Currency = USD): string | null {
  const words = isMoney(unit) ? (text.match(/[€£¥]|[a-z]{3,}/gi) ?? []) : [];
  const codes = words.map((word) => CODES[word.toLowerCase()] ?? word.toUpperCase());
  const isRead = (code: string) => readAmount(text, unit, { code, per_usd: 1 }) !== null;
  if (readAmount(text, unit, currency) !== null) return null;
  return codes.find((code) => code.length === 3 && isRead(code)) ?? null;
}

// Digits of an echo: as many as were typed, and these at least.
const ECHO_DIGITS = 6;

/** What is echoed of a number: what a conversion adds behind the digits that decide is rounded. */
function echoed(value: number, text: string): { value: number; isRounded: boolean } {
  const typed = text.replaceAll(/[^0-9]/g, '').replace(/^0+/, '').length;
  const rounded = Number(value.toPrecision(Math.min(15, Math.max(ECHO_DIGITS, typed))));
  return { value: rounded, isRounded: rounded !== value };
}

/** What was understood of what is typed, in the field's unit: “= 1,638.4 GiB”; empty where nothing. */
export function echoOf(
  text: string,
  unit: string,
  currency: Currency = USD,
  context: TypedContext = {},
): string {
  const read = readAmount(text, unit, currency, context);
  if (read === null) return '';
  if (unit === 'calendar year') return `= ${read.value.toFixed(0)}`;
  const { value: shown, isRounded } = echoed(toTyped(read.value, unit, currency), text);
  const label = typedUnit(unit, currency);
  const amount = surelyRead(shown, context.mark, isMoney(unit) ? 2 : 1);
  const symbol = isMoney(unit) ? currencySymbol(currency) : '';
  const after = symbol ? label.slice(symbol.trim().length) : label;
  const gap = after === '' || /^[%/]/.test(after) ? '' : '\u00a0';
  const sign = amount.startsWith('−') ? '−' : '';
  const note = read.note ? `, ${read.note}` : '';
  return `= ${isRounded ? 'about ' : ''}${sign}${symbol}${amount.slice(sign.length)}${gap}${after}${note}`;
}

/** Why a text is not taken: what this field accepts, with an example. */
export function refusalOf(
  unit: string,
  currency: Currency = USD,
  text = '',
  { mark = numberMark(), bounds = {} }: TypedContext = {},
): string {
  const label = typedUnit(unit, currency);
  const other = otherCurrency(text, unit, currency);
  if (other !== null) {
    return `The study is in ${currency.code}. Enter an amount in ${label}, or choose ${other} as the currency of the study.`;
  }
  const example = exampleWithin(unit, currency, bounds)
    .split(' ')
    .map((word) => {
      const number = /^[0-9.,]+/.exec(word)?.[0];
      const value = number === undefined ? null : parseNumber(number, '.');
      return value === null ? word : word.replace(number ?? '', numberText(value, mark));
    })
    .join(' ');
  if (isWholeOnly(bounds)) {
    return `Enter a whole number${label ? ` of ${label}` : ''}, such as ${example}.`;
  }
  return `Enter ${label ? `an amount in ${label}` : 'a number'}, such as ${example}.`;
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

/** A number in a field: every digit, true minus; in groups to read, without them to edit. */
export function typedText(
  value: number,
  unit: string,
  currency: Currency = USD,
  isGrouped = true,
): string {
  if (unit === 'calendar year') return value.toFixed(0);
  return numberText(toTyped(value, unit, currency), undefined, isGrouped);
}
