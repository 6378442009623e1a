import type { Comparison, DesignResult } from '../../../lib/comparison';
import { designByLetter } from '../../../lib/comparison';
import type { Currency } from '../../../lib/format';
import type { Theme } from '../../../lib/tokens';

export { plotText } from '../../../lib/plotting';

export interface FigureOptions {
  theme: Theme;
  currency: Currency;
  /** Whether there is only a phone's width. */
  narrow: boolean;
}

export interface PairOptions extends FigureOptions {
  /** From which design to which the difference is explained. */
  from: string;
  to: string;
}

const RENTED = new Set(['cloud', 'baseline']);

/**
 * The two designs most worth comparing: the winner, and what stands today or, without that,
 * the cheapest design that is rented where the winner is owned, or the other way round; the
 * verdict speaks of the same two. Where only one meets demand, one that does not.
 */
export function defaultPair(comparison: Comparison): { from: string; to: string } {
  const { designs, runner_up } = comparison;
  const winner = designByLetter(comparison, comparison.winner) ?? designs[0];
  if (!winner) return { from: '', to: '' };
  const others = designs
    .filter((design) => design.letter !== winner.letter)
    .sort((a, b) => Number(b.carries_load) - Number(a.carries_load) || a.ranked_usd - b.ranked_usd);
  const side = RENTED.has(winner.kind);
  const able = others.filter((design) => design.carries_load);
  const baseline = able.find((design) => design.is_baseline);
  const opposite = able.find((design) => RENTED.has(design.kind) !== side);
  const from = baseline?.letter ?? opposite?.letter ?? runner_up ?? others[0]?.letter;
  return { from: from ?? winner.letter, to: winner.letter };
}

export function pairOf(comparison: Comparison, options: PairOptions): DesignResult[] {
  return [options.from, options.to].flatMap((letter) => designByLetter(comparison, letter) ?? []);
}

export function nameOf(design: DesignResult): string {
  return `${design.letter}, ${design.title}`;
}

export function short(text: string, length = 24): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}

/** A name cut to a length, with the letter of its design kept: Migration: months of … (D). */
export function shortOf(label: string, length: number): string {
  const letter = / \([^)]\)$/.exec(label)?.[0] ?? '';
  return short(label.slice(0, label.length - letter.length), length - letter.length) + letter;
}
