import { currencySymbol, USD, type Currency } from './format';

type Dimension = 'data' | 'bits' | 'time' | 'power' | 'energy' | 'mass' | 'share' | 'money';

interface Atom {
  of: string;
  /** How much of its dimension's own measure one is. */
  size: number;
}

const MONTHS_PER_YEAR = 12;
const HOURS_PER_YEAR = 8760;
const [SECOND, HOUR] = [1, 3600];
const YEAR = HOURS_PER_YEAR * HOUR;

const sized = (size: number, words: string): Record<string, number> =>
  Object.fromEntries(words.split(' ').map((word) => [word, size]));

/** Words of units by dimension, in lower case; a plural is looked up without its s or n as well. */
const WORDS: Record<Exclude<Dimension, 'data' | 'bits' | 'money'>, Record<string, number>> = {
  time: {
    ns: 1e-9,
    us: 1e-6,
    µs: 1e-6,
    ms: 1e-3,
    ...sized(SECOND, 's sec second sekunde'),
    ...sized(60, 'min minute'),
    ...sized(HOUR, 'h hr hour stunde std'),
    ...sized(24 * HOUR, 'd day tag tage'),
    ...sized(168 * HOUR, 'wk week woche'),
    ...sized(YEAR / MONTHS_PER_YEAR, 'mo mth month monat monate'),
    ...sized(YEAR / 4, 'quarter qtr quartal quartale'),
    ...sized(YEAR / 2, 'half-year halbjahr halbjahre'),
    ...sized(YEAR, 'y yr year annum jahr jahre'),
  },
  power: { mw: 1e6, w: 1, watt: 1, kw: 1e3, gw: 1e9 },
  energy: { nj: 1e-9, j: 1, kj: 1e3, mj: 1e6, wh: 3600, kwh: 3.6e6, mwh: 3.6e9, gwh: 3.6e12 },
  mass: { g: 1e-3, kg: 1, t: 1e3, tonne: 1e3 },
  share: { '%': 1, percent: 1, fraction: 1, pct: 1, prozent: 1 },
};

/** Nouns that are taken for each other in a field of one of them. */
const NOUNS: readonly (readonly string[])[] = [
  ['core', 'physical core', 'kern', 'kerne'],
  ['vcpu', 'thread', 'vcore'],
  ['node', 'server', 'machine', 'host', 'knote', 'rechner', 'maschine'],
  ['fte', 'person', 'people', 'engineer', 'staff', 'head', 'employee'].concat(
    'vzä mitarbeiter stelle kopf'.split(' '),
  ),
  ['gpu', 'accelerator', 'grafikkarte'],
  ['drive', 'disk', 'laufwerk', 'laufwerke', 'platte', 'festplatte'],
  ['request', 'req', 'op', 'io', 'query', 'querie', 'read', 'write', 'anfrage', 'abfrage'],
  ['million', 'millione', 'mio', 'mio.', 'mn'],
];

/** What is counted of anything that is: pieces, Stück. */
const PIECES = /^(?:pieces?|pcs?\.?|units?|stück|stk\.?|st\.)$/i;

// Of plurals in English and in German: years, Jahren, Personen.
const singular = (word: string) =>
  word.length > 2 ? word.replace(/(?:(?<=person)en|(?<=e)n|s)$/, '') : word;
const nounOf = (word: string) =>
  NOUNS.find((group) => group.includes(singular(word)))?.[0] ?? singular(word);

// Mio is a million in German before it is a mebioctet in French.
const DATA = /^(?!mio$)([kmgtpe]?)(i?)(b|o|bytes?)$/i;
const BITS = /^([kmgt]?)(i?)bits?$/i;
/** A small b behind a prefix of its own case is bits: Gb, kb; gb is how GB is typed in a hurry. */
const SMALL_B = /^([kKMGTPE])(i?)b$/;
const POWERS = ['', 'k', 'm', 'g', 't', 'p', 'e'];

/** One word of a unit: what it is of, and how much of that. */
function atomOf(word: string, currency: Currency): Atom {
  const small = word.toLowerCase();
  // Octets of French are written Mo, months mo.
  if (word === 'mo') return { of: 'time', size: YEAR / MONTHS_PER_YEAR };
  const bits = BITS.exec(word) ?? SMALL_B.exec(word);
  const data = bits ?? DATA.exec(word);
  if (data) {
    const power = POWERS.indexOf(data[1]?.toLowerCase() ?? '');
    return { of: bits ? 'bits' : 'data', size: (data[2] ? 1024 : 1e3) ** power };
  }
  if (['usd', 'us$', '$', 'dollar', 'dollars'].includes(small)) return { of: 'money', size: 1 };
  const own = [currency.code.toLowerCase(), currencySymbol(currency).trim().toLowerCase()];
  if (own.includes(small) || (own.includes('eur') && /^euros?$/.test(small)))
    return { of: 'money', size: 1 / currency.per_usd };
  for (const [of, words] of Object.entries(WORDS)) {
    const size = words[small] ?? words[singular(small)];
    if (size !== undefined) return { of, size };
  }
  return { of: nounOf(small), size: 1 };
}

const DIMENSIONS = new Set([...Object.keys(WORDS), 'data', 'bits', 'money']);

const BETWEEN = /(?:[-·\s]|\b(?:and|und)\b)+/i;

interface Parts {
  over: string;
  under: string[];
}

/** A unit in one spelling: per, a and "p.a." as strokes, CO2e left out of kg CO2e. */
function partsOf(unit: string): Parts {
  const tidy = unit
    .trim()
    .replaceAll(/\s*co[2₂]e?\b/gi, '')
    .replace(
      /^([kKM]?)(?:iops|IOPS|qps|QPS|rps|RPS|tps|TPS)$/,
      (_, prefix: string) => `${prefix || '1'}/s`,
    )
    .replace(/^([kKMGT]?)bps$/, '$1bit/s')
    .replace(/\s*(?:\/\s*a|\bp\.?a\.?|\b(?:yearly|annually|jährlich))$/i, '/yr')
    .replace(/\s*\b(p\.?m\.?|monthly|monatlich)$/i, '/month')
    .replace(/\s*\b(hourly)$/i, '/h')
    .replaceAll(/\s*(?:\/|\b(?:per|an?|pro|je|im)\b)\s*/gi, '/')
    .trim();
  const [over = '', ...under] = tidy.split('/');
  return { over: over.trim(), under: under.flatMap((part) => part.split(BETWEEN).filter(Boolean)) };
}

/** What stands before events of a rate: the M of 100 M/s, the k of 50 kreq/s; 1 where nothing does. */
function thousandsOf(over: string): number {
  const [, prefix = '', noun = ''] = /^([kKMGT])(\s.*|\w*)$/.exec(over) ?? [];
  const isApart = noun.trim() === '' || noun.startsWith(' ');
  const isPrefix = prefix !== '' && (isApart || nounOf(noun.toLowerCase()) === 'request');
  return isPrefix ? 1e3 ** POWERS.indexOf(prefix.toLowerCase()) : 1;
}

/**
 * By what an amount in one unit is multiplied to be in another: 25 TB/month in TB/yr is 12 times
 * as many. A time that is left out, or what is counted, is the field's own. Null where the one
 * cannot be said in the other.
 */
export function factorBetween(typed: string, field: string, currency: Currency = USD) {
  if (typed.trim() === '') return 1;
  const held = partsOf(field);
  const sizeOf = (word: string) => atomOf(word, currency);
  // Of a year in German, where the field is not of joules.
  const isTimed = held.under.some((word) => sizeOf(word).of === 'time');
  const own = partsOf(isTimed ? typed.replace(/\/\s*J$/, '/yr') : typed);
  const [above, wanted] = [sizeOf(own.over), sizeOf(held.over)];
  const isEvent = above.of === 'request' || own.under.length > 0;
  const isRate = held.over === '1' && isEvent && !DIMENSIONS.has(above.of);
  if (own.over !== '' && !isRate && above.of !== wanted.of) return null;
  let factor = 1;
  if (isRate) factor = thousandsOf(own.over);
  else if (own.over !== '') factor = above.size / wanted.size;
  if (own.under.length === 0) return factor;
  if (own.under.length > held.under.length) return null;
  const left = held.under.map(sizeOf);
  for (const part of own.under.map(sizeOf)) {
    const at = left.findIndex(({ of }) => of === part.of);
    const [match] = at < 0 ? [] : left.splice(at, 1);
    // Growth of 2% a month is no 24% a year.
    if (!match || (wanted.of === 'share' && match.size !== part.size)) return null;
    factor *= match.size / part.size;
  }
  return left.every(mayLeaveOut(own.under.map(sizeOf))) ? factor : null;
}

/**
 * What is left out of a rate that is typed is the field's own: the noun of what a year's pay is of
 * (95,000 a year), and the time where a noun is named; what is measured never is.
 */
function mayLeaveOut(typed: readonly Atom[]) {
  const isNoun = ({ of }: Atom) => !DIMENSIONS.has(of);
  return (one: Atom) => isNoun(one) || (one.of === 'time' && typed.every(isNoun));
}

/** Whether a field counts things, of which pieces are some. */
function isCounted(unit: string): boolean {
  const measured = unit === '' || /[/%-]/.test(unit) || /^(?:ratio|1|calendar year)$/.test(unit);
  return !measured && !DIMENSIONS.has(atomOf(unit, USD).of);
}

/** What a field counts: the noun of its unit or, where that says nothing, of its name. */
export function isCountOf(word: string, unit: string, name: string): boolean {
  if (PIECES.test(word.trim()) && isCounted(unit)) return true;
  // What is measured is no noun: Gb is none of GB.
  if (DIMENSIONS.has(atomOf(word.trim(), USD).of)) return false;
  const noun = nounOf(word.trim().toLowerCase());
  const words = `${unit} ${name}`.toLowerCase().split(/[^a-z]+/);
  return noun !== '' && words.some((one) => nounOf(one) === noun);
}

/** An amount that a field of a unit takes, as an example of its words. */
export function exampleOf(unit: string, currency: Currency = USD): string {
  const { over, under } = partsOf(unit);
  const { of } = atomOf(over, currency);
  const rate = unit.includes('/') ? unit.slice(unit.indexOf('/')) : '';
  if (of === 'money') return `${under.includes('kWh') ? '0.21' : '90,000'} ${currency.code}${rate}`;
  if (of === 'data') return rate ? `25 ${over}${rate}` : '1.6 TiB';
  if (of === 'share') return `22%${rate}`;
  if (unit === 'yr') return '4 years or 48 months';
  if (unit.startsWith('month')) return '48 months or 4 years';
  if (unit === 'cores') return '420 cores or 840 vCPU';
  if (of === 'time') return `90 ${unit}`;
  return ['count', 'ratio', '1', '', 'calendar year'].includes(unit)
    ? '12.5'
    : `12.5 ${unit.replace(/^1\//, 'per ')}`;
}
