import type { Formula } from '../../lib/models';

const STEM = /(_per_[a-z0-9_]+|_[a-z0-9]+)$/;

/** The name of a figure without its unit: `mttdl_years` is MTTDL. */
const stemOf = (key: string) => key.replace(STEM, '');

/** The equation that gives a figure, where the model names one after it. */
export function formulaFor(key: string, formulas: readonly Formula[]): Formula | undefined {
  const last = key.split('.').at(-1) ?? key;
  const stem = stemOf(last);
  const left = (formula: Formula) => formula.text.split('=')[0]?.trim() ?? '';
  return (
    formulas.find(({ id }) => id === last || id === stem) ??
    formulas.find((formula) => formula.symbols[left(formula)] === last)
  );
}
