import { isObject, type Json } from './pointer';
import { numberTokens } from './tokens';

export interface Currency {
  code: string;
  per_usd: number;
  /** The day of the rate. */
  as_of?: string | null;
}

export const USD: Currency = { code: 'USD', per_usd: 1 };

/** The currency that a document states; US dollars where it states none. */
export function statedCurrency(stated: Json | undefined): Currency {
  if (!isObject(stated)) return USD;
  const { code, per_usd, as_of } = stated;
  if (typeof code !== 'string' || typeof per_usd !== 'number' || per_usd <= 0) return USD;
  return typeof as_of === 'string' ? { code, per_usd, as_of } : { code, per_usd };
}
export const MISSING = numberTokens.missing;

const { minus: MINUS, space: SPACE, range_dash: DASH, significant_digits: DIGITS } = numberTokens;
const SYMBOLS: Record<string, string> = { USD: '$', EUR: '€', GBP: '£', JPY: '¥', CNY: '¥' };

interface Scale {
  at_least: number;
  divide_by: number;
  suffix: string;
}

// Digits of a number that are surely its own; sums and rates of exchange move those behind.
const SURE_DIGITS = 14;
const sure = (value: number) => Number(value.toPrecision(SURE_DIGITS));

function decimalsFor(magnitude: number, digits: number): number {
  if (magnitude === 0) return 0;
  const exponent = Math.floor(Math.log10(magnitude));
  // 9.996 to three digits is 10.0, one decimal fewer than 9.99.
  const carried = Math.round(sure(magnitude / 10 ** (exponent - digits + 1))) >= 10 ** digits;
  return Math.min(12, Math.max(0, digits - 1 - exponent - (carried ? 1 : 0)));
}

// Making a formatter takes far longer than using one.
const FORMATS = new Map<number, Intl.NumberFormat>();

function grouped(magnitude: number, decimals: number): string {
  let format = FORMATS.get(decimals);
  if (!format) {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    format = new Intl.NumberFormat('en-GB', digits);
    FORMATS.set(decimals, format);
  }
  return format.format(magnitude < 10 ** SURE_DIGITS ? sure(magnitude) : magnitude);
}

/** A plain number to so many significant digits, trailing zeros kept: 18.0, 0.00123, 12,300. */
export function significant(value: number, digits: number = DIGITS): string {
  if (!Number.isFinite(value)) return MISSING;
  const text = grouped(Math.abs(value), decimalsFor(Math.abs(value), digits));
  return signed(value, text);
}

function signed(value: number, text: string): string {
  return value < 0 && /[1-9]/.test(text) ? `${MINUS}${text}` : text;
}

function pick(magnitude: number, scales: readonly Scale[]): Scale {
  const fits = scales.findIndex((scale) => magnitude >= scale.at_least);
  const index = fits < 0 ? scales.length - 1 : fits;
  const scale = scales[index] ?? { at_least: 0, divide_by: 1, suffix: '' };
  const larger = scales[index - 1];
  // 999,600 reads as $1.00 M, not as $1000 k.
  const rounded = Number((magnitude / scale.divide_by).toPrecision(DIGITS)) * scale.divide_by;
  return larger && rounded >= larger.at_least ? larger : scale;
}

export function currencySymbol(currency: Currency): string {
  return SYMBOLS[currency.code] ?? `${currency.code}${SPACE}`;
}

function smallMoney(magnitude: number): string {
  if (magnitude === 0) return '0';
  if (magnitude >= 100) return grouped(magnitude, decimalsFor(magnitude, DIGITS));
  const decimals = decimalsFor(magnitude, DIGITS);
  const kept = grouped(magnitude, decimals).replace(/0+$/, '').split('.')[1]?.length ?? 0;
  return grouped(magnitude, kept === 1 ? 2 : kept);
}

// From here on an amount is a power of ten; digits are no longer counted.
const COUNTLESS = 1e18;

function power(magnitude: number): string {
  const [mantissa = '', exponent = ''] = magnitude.toExponential(2).split('e');
  return `${mantissa}${SPACE}×${SPACE}10${raised(exponent)}`;
}

/** US dollars as held in results, shown in the study's currency: $1.23 M, −$51.0 k, $0.17. */
export function money(usd: number | null | undefined, currency: Currency = USD): string {
  if (usd == null || !Number.isFinite(usd * currency.per_usd)) return MISSING;
  const value = usd * currency.per_usd;
  const magnitude = Math.abs(value);
  if (magnitude >= COUNTLESS)
    return signed(value, `${currencySymbol(currency)}${power(magnitude)}`);
  const scale = pick(magnitude, numberTokens.money_scales);
  const text =
    scale.divide_by === 1
      ? smallMoney(magnitude)
      : grouped(magnitude / scale.divide_by, decimalsFor(magnitude / scale.divide_by, DIGITS));
  return signed(value, `${currencySymbol(currency)}${text}${nbsp(scale.suffix)}`);
}

/** A difference in money always says its direction: +$12.0 k or −$12.0 k. */
export function moneyChange(usd: number, currency: Currency): string {
  const text = money(usd, currency);
  return usd > 0 ? `+${text}` : text;
}

/** What an amount moves by, where it may not be known, or not move. */
export function movedText(usd: number | null, currency: Currency): string {
  if (usd === null) return 'change not known';
  return usd === 0 ? 'no change' : moneyChange(usd, currency);
}

function nbsp(text: string): string {
  return text.replaceAll(' ', SPACE);
}

// Below this, a share is written as one in so many.
const SMALLEST_SHARE = 5e-5;
/** Percentage points that are noise of sums of shares. */
const NO_DIFFERENCE = 1e-6;

// From here on billions are a power of ten.
const COUNTLESS_TIMES = 1e12;

/** A large number without a row of digits: 463,000, 8.81 billion, 4.63 × 10¹⁴. */
function large(magnitude: number): string {
  if (magnitude >= COUNTLESS_TIMES) return power(magnitude);
  const rounded = Number(magnitude.toPrecision(DIGITS));
  const { divide_by, suffix: word } = pick(magnitude, numberTokens.share_scales);
  const text = divide_by === 1 ? grouped(rounded, 0) : significant(rounded / divide_by);
  return `${text}${nbsp(word)}`;
}

/** A share: 67%, 1.7%, 0.04%; one too small for that as 1 in 463,000 or 1 in 8.81 billion. */
export function percent(fraction: number | null | undefined): string {
  if (fraction == null || !Number.isFinite(fraction)) return MISSING;
  if (fraction > 0 && fraction < SMALLEST_SHARE) {
    return `1 in ${large(1 / fraction)}`;
  }
  const value = Math.abs(fraction * 100);
  let decimals = value >= 10 || value === 0 ? 0 : value >= 0.1 ? 1 : 2;
  if (Math.abs(value - 100) < NO_DIFFERENCE) return signed(fraction, '100%');
  // Less or more than the whole is never written as the whole.
  while (decimals < 3 && Number(value.toFixed(decimals)) === 100) decimals += 1;
  if (decimals === 3) return signed(fraction, value < 100 ? '>99.99%' : '>100%');
  const text = grouped(value, decimals)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
  return signed(fraction, `${text}%`);
}

export function months(count: number | null | undefined): string {
  if (count == null || !Number.isFinite(count)) return MISSING;
  const limit = numberTokens.months_below_years * 12;
  if (Math.abs(count) >= limit && !Number.isInteger(count / 12)) {
    return `${significant(count / 12, 2)}${SPACE}years`;
  }
  const tenths = Math.round(sure(Math.abs(count) * 10));
  const text = signed(count, grouped(tenths / 10, tenths % 10 === 0 ? 0 : 1));
  return `${text}${SPACE}${text === '1' ? 'month' : 'months'}`;
}

/** How many of what: 1 drive, 313 nodes. */
export function counted(count: number, name: string): string {
  return `${grouped(count, 0)} ${name}${count === 1 ? '' : 's'}`;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A time in the largest unit of which there are at least two: 90.0 s, 5.20 hours, 207 days. */
export function spanText(seconds: number): string {
  if (seconds >= 2 * DAY) return quantity(Number((seconds / DAY).toPrecision(DIGITS)), 'days');
  if (seconds >= 2 * HOUR) return `${significant(seconds / HOUR)}${SPACE}hours`;
  if (seconds >= 2 * MINUTE) return `${significant(seconds / MINUTE)}${SPACE}minutes`;
  return quantity(seconds, 's');
}

const DATE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** 20 Nov 2026, from an ISO date or instant. */
export function date(iso: string | null | undefined): string {
  const time = iso ? Date.parse(iso) : Number.NaN;
  if (Number.isNaN(time)) return MISSING;
  const parts = DATE.formatToParts(time);
  const part = (type: string) => parts.find((entry) => entry.type === type)?.value ?? '';
  return `${part('day')} ${part('month').slice(0, 3)} ${part('year')}`;
}

/** A month of the calendar, 2026-07, as it is written: Jul 2026. */
export function monthName(month: string): string {
  const [, ...rest] = date(`${month}-01`).split(' ');
  return rest.join(' ');
}

const CLOCK = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

const instant = (iso: string) => `${date(iso)}, ${CLOCK.format(Date.parse(iso))}`;

/** 20 Nov 2026, 09:30 UTC: of the day that dates and reports say, wherever one sits. */
export function dateTime(iso: string | null | undefined): string {
  return iso && !Number.isNaN(Date.parse(iso)) ? `${instant(iso)}${SPACE}UTC` : MISSING;
}

type UnitRule =
  | { kind: 'money' }
  | { kind: 'percent' }
  | { kind: 'scaled'; scales: { at_least: number; divide_by: number; unit: string }[] }
  | { kind: 'plain'; unit: string }
  | { kind: 'years'; unit: string }
  | { kind: 'date'; unit: string }
  | { kind: 'instant'; unit: string }
  | { kind: 'count'; unit: string; singular: string };

const RULES = numberTokens.units as Record<string, UnitRule | undefined>;
const ALIASES: Record<string, string> = {
  usd: 'USD',
  'kg CO2e': 'kgCO2e',
  kgco2e: 'kgCO2e',
  'g CO2e/kWh': 'gCO2e/kWh',
};

/** The unit as a reader writes it: `yr`, `CO₂e`; nothing for counts and ratios. */
export function unitLabel(unit: string | null | undefined, currency: Currency = USD): string {
  if (!unit || ['count', 'ratio', '1', 'calendar year'].includes(unit)) return '';
  if (unit === 'fraction') return '%';
  if (unit.startsWith('fraction/')) return `%/${unit.slice('fraction/'.length)}`;
  if (unit === 'us') return 'µs';
  const spoken = unit.replace('CO2e', 'CO₂e').replace(/^1\//, 'per ');
  return spoken.replace(/^USD/, currencySymbol(currency).trim());
}

/** Whether a number is held in US dollars: an amount, or a price of something. */
export function isMoney(unit: string): boolean {
  return unit === 'USD' || unit.startsWith('USD/');
}

/** A value in the study's currency where its unit says that it is held in US dollars. */
export function inCurrency(value: number, unit: string, currency: Currency): number {
  return isMoney(unit) ? value * currency.per_usd : value;
}

/** The unit with the study's currency in place of US dollars: `EUR/kWh`. */
export function unitIn(unit: string, currency: Currency): string {
  return isMoney(unit) ? `${currency.code}${unit.slice('USD'.length)}` : unit;
}

const scaleOf = (size: number, scales: readonly (Omit<Scale, 'suffix'> & { unit: string })[]) =>
  pick(
    Math.abs(size),
    scales.map((scale) => ({ ...scale, suffix: scale.unit })),
  );

/** The unit that numbers of which this is the largest are written in: MWh of 158,000 kWh. */
export function unitAmong(unit: string, largest: number, currency: Currency = USD): string {
  const rule = RULES[ALIASES[unit] ?? unit];
  return rule && 'scales' in rule
    ? scaleOf(largest, rule.scales).suffix
    : unitLabel(unit, currency);
}

/**
 * A value with its unit, three significant digits: the form used on cards, tables and axes. What
 * stands with others on an axis or in a column has the unit of the largest of them.
 */
export function quantity(
  value: number | null | undefined,
  unit: string | null | undefined,
  currency: Currency = USD,
  largest = value,
): string {
  if (value == null || !Number.isFinite(value)) return MISSING;
  const name = unit ?? '';
  const rule = RULES[ALIASES[name] ?? name];
  if (rule) return byRule(value, rule, currency, largest ?? value);
  if (name.startsWith('USD/')) return `${money(value, currency)}/${name.slice(4)}`;
  if (name.startsWith('fraction/')) return `${percent(value)}/${name.slice(9)}`;
  return `${plain(value)}${suffix(unitLabel(name, currency))}`;
}

function byRule(value: number, rule: UnitRule, currency: Currency, largest: number): string {
  if (rule.kind === 'money') return money(value, currency);
  if (rule.kind === 'percent') return percent(value);
  if (rule.kind === 'count') return months(value);
  if (rule.kind === 'date') return value.toFixed(0);
  if (rule.kind === 'instant') return instant(new Date(value).toISOString());
  if (rule.kind === 'years') return `${years(value)}${suffix(rule.unit)}`;
  if (rule.kind === 'plain') return `${plain(value)}${suffix(rule.unit)}`;
  const scale = scaleOf(largest, rule.scales);
  return `${value === 0 ? '0' : significant(value / scale.divide_by)}${suffix(scale.suffix)}`;
}

function suffix(unit: string): string {
  return unit === '%' || unit === '' ? unit : `${SPACE}${nbsp(unit)}`;
}

// Below this a row of zeros is harder to read than a power of ten.
const SMALLEST_SPELLED = 1e-6;

/** Whole numbers stay whole (12, 1,536); others to three significant digits. */
function plain(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude > 0 && magnitude < SMALLEST_SPELLED) return signed(value, power(magnitude));
  return Number.isInteger(value) && Math.abs(value) < 1e6
    ? signed(value, grouped(Math.abs(value), 0))
    : significant(value);
}

// Past every calendar the first digits say all.
const LONG_YEARS = 1e4;

/** 58.3, 1,990, 123,000, 8.81 billion. */
function years(value: number): string {
  return Math.abs(value) < LONG_YEARS ? plain(value) : signed(value, large(Math.abs(value)));
}

const RAISED: Record<string, string> = { '+': '', '-': '⁻' };
for (const [digit, sign] of [...'⁰¹²³⁴⁵⁶⁷⁸⁹'].entries()) RAISED[digit] = sign;

/** An exponent with its sign, as JavaScript writes it, above the line. */
function raised(exponent: string): string {
  return [...exponent].map((sign) => RAISED[sign]).join('');
}

function everyDigit(magnitude: number): string {
  if (magnitude === 0 || magnitude >= SMALLEST_SPELLED) {
    return magnitude.toLocaleString('en-GB', { maximumSignificantDigits: 12 });
  }
  const [mantissa, exponent = ''] = magnitude.toExponential(11).split('e');
  return `${Number(mantissa)} × 10${raised(exponent)}`;
}

/** Every digit we hold, for hover and for checking: amounts as stored, or in a currency. */
export function exact(
  value: number | null | undefined,
  unit?: string | null,
  currency: Currency = USD,
): string {
  if (value == null || !Number.isFinite(value)) return MISSING;
  const name = unit ?? '';
  if (name.startsWith('USD')) {
    const amount = everyDigit(Math.abs(value * currency.per_usd));
    return `${signed(value, `${currencySymbol(currency)}${amount}`)}${name.slice(3)}`;
  }
  if (name === 'calendar year') return value.toFixed(0);
  const isShare = name === 'fraction' || name.startsWith('fraction/');
  const shown = isShare ? Number((100 * value).toPrecision(15)) : value;
  const text = everyDigit(Math.abs(shown));
  const spoken = unitLabel(name);
  return `${signed(value, text)}${spoken.startsWith('%') ? spoken : spoken && suffix(spoken)}`;
}

// More digits than anybody enters come of a computation, such as a price in another currency;
// but those of a large amount are entered to its cents.
const ENTERED_DIGITS = 7;
const CENTS = 2;
const COMPUTED_DIGITS = 6;

/**
 * An input as it was entered: in the short form where that has every digit of it, else with all of
 * them (22.5%, where results are rounded to 23%).
 */
export function entered(
  value: number | null | undefined,
  unit?: string | null,
  currency: Currency = USD,
): string {
  if (value == null || !Number.isFinite(value)) return MISSING;
  const name = unit ?? '';
  const rate = isMoney(name) ? currency.per_usd : 1;
  const held = Number((value * rate).toPrecision(12));
  const isShort = (digits: number) => Number(held.toPrecision(digits)) === held;
  const isRounded = name.split('/')[0] === 'fraction' || name === 'months';
  const isWhole = name === 'months' && value < 36 && Number.isInteger(value);
  if (isWhole || (!isRounded && isShort(DIGITS))) return quantity(value, unit, currency);
  const isEntered = isShort(ENTERED_DIGITS) || Number(held.toFixed(CENTS)) === held;
  const kept = isEntered ? value : Number(held.toPrecision(COMPUTED_DIGITS)) / rate;
  return exact(kept, unit, currency);
}

/** An end of a range, to three digits: 12.5%, where a share among results is 13%. */
export function rangeEnd(
  value: number | null | undefined,
  unit?: string | null,
  currency: Currency = USD,
): string {
  const isShare = value != null && unit?.split('/')[0] === 'fraction';
  return isShare ? exact(Number(value.toPrecision(DIGITS)), unit) : quantity(value, unit, currency);
}

/** A range sharing one unit: $2.81–3.14 M, 17–23 months, 40–60%; of inputs as they are `entered`. */
export function range(
  low: number,
  high: number,
  unit: string,
  currency: Currency = USD,
  write: typeof quantity = quantity,
): string {
  const [first, second] = [write(low, unit, currency), write(high, unit, currency)];
  if (first === second) return first;
  const head = /^[^\d−]*/.exec(second)?.[0] ?? '';
  const tail = /[^\d]*$/.exec(second)?.[0] ?? '';
  const sameEnds = first.startsWith(head) && first.endsWith(tail) && low >= 0;
  if (!sameEnds) return `${first} to ${second}`;
  return `${first.slice(0, first.length - tail.length)}${DASH}${second.slice(head.length)}`;
}
