import type { FormulaTerm } from '../../lib/comparison';
import { quantity, USD, type Currency } from '../../lib/format';

function pattern(name: string): RegExp {
  const literal = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\w.])${literal}(?![\w.])`, 'giu');
}

/** The formula with each term's name replaced by its value; longer names first. */
export function substituted(
  formula: string,
  terms: readonly FormulaTerm[],
  currency: Currency = USD,
): string {
  const held = terms
    .filter((term) => term.value !== null)
    .toSorted((a, b) => b.name.length - a.name.length);
  // Marked first, put in afterwards: a value must not be taken for the name of another term.
  const marked = held.reduce(
    (text, term, at) => text.replaceAll(pattern(term.name), `⟦${at}⟧`),
    formula,
  );
  return marked.replaceAll(/⟦(\d+)⟧/g, (_mark, at: string) => {
    const term = held[Number(at)];
    return term ? quantity(term.value, term.unit, currency) : '';
  });
}
