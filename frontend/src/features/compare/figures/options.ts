import type { Comparison, DesignResult } from '../../../lib/comparison';
import { designByLetter } from '../../../lib/comparison';
import type { Currency } from '../../../lib/format';
import type { Theme } from '../../../lib/tokens';

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

/** The two designs most worth comparing: the winner, and what it has to be chosen over. */
export function defaultPair(comparison: Comparison): { from: string; to: string } {
  const to = comparison.winner ?? comparison.designs[0]?.letter ?? '';
  const payer = comparison.break_evens.find(
    (row) => row.challenger === to && row.first_month_cheaper !== null,
  );
  const other = comparison.designs.find((design) => design.letter !== to);
  const baseline = comparison.designs.find((design) => design.is_baseline && design.letter !== to);
  const from = baseline?.letter ?? payer?.incumbent ?? comparison.runner_up ?? other?.letter ?? to;
  return { from, to };
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

/** Plotly reads a small HTML in texts; titles typed by users are text only. */
export function plotText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
