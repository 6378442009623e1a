import type { FormulaTerm } from '../../lib/comparison';
import { quantity } from '../../lib/format';

function pattern(name: string): RegExp {
  const literal = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\w.])${literal}(?![\w.])`, 'giu');
}

/** The formula with each term's name replaced by its value; longer names first. */
export function substituted(formula: string, terms: readonly FormulaTerm[]): string {
  const held = terms
    .filter((term) => term.value !== null)
    .toSorted((a, b) => b.name.length - a.name.length);
  const marked = held.reduce(
    (text, term, at) => text.replaceAll(pattern(term.name), `\u0001${at}\u0002`),
    formula,
  );
  // oxlint-disable-next-line no-control-regex
  return marked.replaceAll(/\u0001(\d+)\u0002/g, (_mark, at: string) => {
    const term = held[Number(at)];
    return term ? quantity(term.value, term.unit) : '';
  });
}
