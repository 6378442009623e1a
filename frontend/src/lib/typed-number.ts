/** The sign before decimals. */
export type Mark = '.' | ',';

/** How a person's numbers are written, as the API keeps it; empty: as the browser's language. */
export type NumberFormat = '' | 'point' | 'comma';

function browserMark(): Mark {
  const language = typeof navigator === 'undefined' ? 'en' : navigator.language;
  let format: Intl.NumberFormat;
  try {
    format = new Intl.NumberFormat(language);
  } catch {
    // A system without a language has its browser say "en-US@posix", which is no language tag.
    format = new Intl.NumberFormat('en');
  }
  const parts = format.formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
}

let chosen: Mark | null = null;

/** Takes over the number format of who is signed in. */
export function setNumberFormat(format: NumberFormat | undefined): void {
  chosen = format === 'comma' ? ',' : format === 'point' ? '.' : null;
}

/** What decides a number that could be read in two ways, such as 1,234. */
export function numberMark(): Mark {
  return chosen ?? browserMark();
}

const GAP = /[\s\u00a0\u2009\u202f]/g;
const BODY = /^([-+−]?) ?([0-9.,' ]*[0-9][0-9.,' ]*)(e[+-]?[0-9]+)?$/i;
const DIGITS = /^[0-9]*$/;
const GROUPED = {
  '.': /^[1-9][0-9]{0,2}(?:\.[0-9]{3})+$/,
  // By three digits, or by two before the last three as in India.
  ',': /^(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]?(?:,[0-9]{2})*,[0-9]{3})$/,
  ' ': /^[1-9][0-9]{0,2}(?: [0-9]{3})+$/,
  "'": /^[1-9][0-9]{0,2}(?:'[0-9]{3})+$/,
};

/** An amount without cents as it is written: 95.000,- and 95'000.-- are 95.000,0 and 95'000.0. */
export const wholeAmount = (text: string): string =>
  text.replace(/([0-9][.,])[-–—]{1,2}(?![0-9])/, '$10');

type Sign = keyof typeof GROUPED;

/** Which of a number's signs stands before its decimals; null: none does. */
function decimalOf(body: string, signs: readonly Sign[], isPower: boolean, mark: Mark) {
  const last = signs.at(-1);
  if (last !== ',' && last !== '.') return null;
  if (signs.some((sign) => sign !== last)) return last;
  if (signs.length > 1) return null;
  const [before = '', after = ''] = body.split(last);
  const isGroup = /^[1-9][0-9]{0,2}$/.test(before) && after.length === 3 && !isPower;
  return isGroup && last !== mark ? null : last;
}

/**
 * A number as people write it: 1,234.5; 1.234,5; 1 234,5; 1'234.5; 12,34,567; (1,500.00); 2,5e-3.
 * A leading zero, two kinds of sign or a group that is not of three digits says which sign stands
 * before decimals; where nothing does (1,234), `mark` decides. Null when it is no number.
 * `capmodels.written_numbers` is its twin; both are held to `fixtures/typed_numbers.json`.
 */
export function parseNumber(text: string, mark: Mark = numberMark()): number | null {
  const tidy = wholeAmount(text.trim().replaceAll(GAP, ' ').replaceAll('’', "'"));
  const negative = /^\(([^-+−].*)\)$/.exec(tidy) ?? /^([^-+−].*)-$/.exec(tidy);
  const match = BODY.exec(negative?.[1] ?? tidy);
  const plain = match && plainOf(match[2] ?? '', match[3] ?? '', mark);
  const value = plain ? Number(plain) : Number.NaN;
  if (!Number.isFinite(value)) return null;
  return negative || /^[-−]/.test(tidy) ? -value : value;
}

/** Digits as programs write them; null where the groups are none. */
function plainOf(body: string, power: string, mark: Mark): string | null {
  const signs = [...body].filter((one): one is Sign => one in GROUPED);
  const decimal = decimalOf(body, signs, power !== '', mark);
  const cut = decimal === null ? body.length : body.lastIndexOf(decimal);
  const [whole, decimals] = [body.slice(0, cut), body.slice(cut + 1)];
  const [first] = signs;
  const form = first === undefined || first === decimal ? DIGITS : GROUPED[first];
  if (!DIGITS.test(decimals) || !form.test(whole)) return null;
  return `${whole.replaceAll(/[.,' ]/g, '')}.${decimals}${power}`;
}

const TINY = 1e-6;
const NARROW = '\u202f';

/**
 * A number as it is typed: every digit, a true minus. In groups to read, without them to edit, so
 * that a digit that is taken out leaves no group of two.
 */
export function numberText(value: number, mark: Mark = numberMark(), isGrouped = true): string {
  const size = Math.abs(value);
  // 1e-14 is read, and typed, more surely than its zeros are counted.
  const plain =
    size !== 0 && size < TINY
      ? String(size)
      : size.toLocaleString('en-GB', { maximumSignificantDigits: 15, useGrouping: isGrouped });
  const own = mark === ',' ? plain.replaceAll(',', NARROW).replace('.', ',') : plain;
  return value < 0 ? `−${own}` : own;
}

/**
 * A number in words that nobody reads otherwise, whatever their own mark: 1,234.0 and 1.2340,
 * where 1,234 and 1.234 are either.
 */
export function surelyRead(value: number, mark: Mark = numberMark(), decimals = 1): string {
  const text = numberText(value, mark);
  if (parseNumber(text, '.') === parseNumber(text, ',')) return text;
  return text.includes(mark) ? `${text}0` : `${text}${mark}${'0'.repeat(decimals)}`;
}

const QUOTED_OR_NUMBER =
  /“[^”]*”|"[^"]*"|(?<!\w)'[^']*'(?!\w)|(?<![\w.,:/-])(?:[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+\.[0-9]+)(?![\w:]|[.,][0-9])/g;

/**
 * A sentence of a form, written as we write numbers, with its numbers as those beside it are typed
 * and shown. What it quotes stays as it was typed.
 */
export function asTyped(text: string, mark: Mark = numberMark()): string {
  if (mark === '.') return text;
  return text.replaceAll(QUOTED_OR_NUMBER, (one) =>
    /^[0-9]/.test(one) ? one.replaceAll(',', NARROW).replace('.', ',') : one,
  );
}

/** The mark that the cells of a column agree on, as those that decide themselves have it. */
export function markOf(texts: readonly string[]): Mark | null {
  const marks = new Set(
    texts.flatMap((text) => {
      const [point, comma] = [parseNumber(text, '.'), parseNumber(text, ',')];
      if (point === null || point !== comma) return [];
      const signs = [...text].filter((sign) => sign === '.' || sign === ',');
      const last = signs.at(-1);
      if (last === undefined) return [];
      // More than one of a kind parts thousands.
      const isGroup = signs.length > 1 && signs.every((sign) => sign === last);
      return [isGroup === (last === '.') ? (',' as const) : ('.' as const)];
    }),
  );
  const [mark = null] = marks.size === 1 ? marks : [];
  return mark;
}
