import { percent, quantity } from '../../lib/format';
import { milliseconds } from './figures/options';
import { allResponses, type Answered, type ArrayResult } from './result';

function named(row: Answered): string {
  return `**${row.letter}**`;
}

/** What equal power costs each array in wear. */
function wearSentence(rows: readonly Answered[]): string {
  const texts = rows.map(({ letter, result }) => ({ letter, text: result.wear }));
  const [first] = texts;
  if (first && texts.every(({ text }) => text === first.text))
    return `Wear of each: ${first.text}.`;
  return `Wear: ${texts.map(({ letter, text }) => `${letter} ${text}`).join('; ')}.`;
}

function powerSentence(rows: readonly Answered[]): string {
  const ordered = [...rows].sort((a, b) => a.result.power_w - b.result.power_w);
  const [least, next] = ordered;
  const most = ordered.at(-1);
  if (!least || !most || !next) return '';
  const watts = quantity(least.result.power_w, 'W');
  const share = 1 - least.result.power_w / most.result.power_w;
  if (share < 0.005) return `All use about ${watts}. ${wearSentence(rows)}`;
  const wear = least.result.wear;
  return `${named(least)} uses the least power: ${watts}, ${percent(share)} below ${most.letter}; ${wear}.`;
}

function speedSentence(rows: readonly Answered[]): string {
  const known = rows.flatMap((row) => {
    const at = allResponses(row.result)?.p95_ms;
    return at == null ? [] : [{ row, at }];
  });
  const [fastest, next] = [...known].sort((a, b) => a.at - b.at);
  if (!fastest) return '';
  const text = `answers 95% of requests within ${milliseconds(fastest.at)}`;
  if (!next) return `${named(fastest.row)} ${text}.`;
  return `${named(fastest.row)} ${text}, ${next.row.letter} within ${milliseconds(next.at)}.`;
}

function yearlyUsd({ per_year: year }: ArrayResult): number | null {
  if (year?.capital_usd_per_year == null) return null;
  return year.energy_usd_per_year + year.capital_usd_per_year;
}

/** What drives and energy cost a year; nothing where a price is not known. */
function costSentence(rows: readonly Answered[]): string {
  const known = rows.flatMap((row) => {
    const usd = yearlyUsd(row.result);
    return usd === null ? [] : [{ row, usd }];
  });
  const [least, next] = [...known].sort((a, b) => a.usd - b.usd);
  if (!least || known.length < rows.length) return '';
  const price = `${quantity(least.usd, 'USD')} a year for drives and energy`;
  if (!next) return `${named(least.row)} costs ${price}.`;
  return `${named(least.row)} costs least: ${price}, ${next.row.letter} ${quantity(next.usd, 'USD')}.`;
}

/** Who cannot keep up, a sentence for each reason. */
function overloaded(rows: readonly Answered[]): string[] {
  const reasons = [...new Set(rows.map(({ result }) => result.withheld))];
  return reasons.map((reason) => {
    const letters = rows.filter(({ result }) => result.withheld === reason).map(named);
    return `${listed(letters)} cannot keep up: ${reason}; percentiles are withheld.`;
  });
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${last}` : last;
}

/** The answer in one or two sentences that a planner could repeat. */
export function verdict(rows: readonly Answered[]): string {
  if (rows.length === 0) return '';
  const off = rows.filter((row) => row.result.saturated);
  const on = rows.filter((row) => !row.result.saturated);
  const [only] = on;
  const sentences = overloaded(off);
  if (on.length === 1 && only) {
    sentences.push(
      speedSentence(on),
      `It draws ${quantity(only.result.power_w, 'W')}; ${only.result.wear}.`,
      costSentence(on).replace(named(only), 'It'),
    );
  } else {
    sentences.push(powerSentence(on), speedSentence(on), costSentence(on));
  }
  return sentences.filter(Boolean).join(' ');
}
