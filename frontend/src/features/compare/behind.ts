import type { Comparison, DesignResult, DifferenceRow, FormulaTerm } from '../../lib/comparison';

/** Pointers of an input: the first of several that has a value counts. */
export type InputPlace = string | readonly string[];

/** What stands behind a row's figure: parts of the answer, and inputs of the study. */
export interface Behind {
  terms: FormulaTerm[];
  inputs?: InputPlace[];
  note?: string;
}

/** What stands behind a cell of a design. */
export type OfRow = (design: DesignResult, comparison: Comparison, row: DifferenceRow) => Behind;

export const HORIZON = '/assumptions/horizon_months';

/** A part of the answer as a term; nothing where it is unknown. */
export function term(
  name: string,
  value: number | null | undefined,
  unit: string,
  pointer: string | null = null,
): FormulaTerm[] {
  return value == null ? [] : [{ name, value, unit, pointer }];
}
