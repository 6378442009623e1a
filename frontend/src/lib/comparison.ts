import type { components } from '../api-types/comparison';

type Schemas = components['schemas'];

/** The answer of plans.compare, as every screen and chart of a study reads it. */
export type Comparison = Schemas['Comparison'];
export type DesignResult = Schemas['DesignResult'];
export type CauseCost = Schemas['CauseAmount'];
export type FormulaTerm = Schemas['Term'];
export type YearRow = Schemas['Year'];
export type Spare = Schemas['Spare'];
export type RackFigures = Schemas['RackFigures'];
export type RackFill = Schemas['RackFill'];
export type BreakEven = Schemas['BreakEven'];
export type TornadoBar = Schemas['TornadoBar'];
export type DifferenceRow = Schemas['Row'];
export type Odds = Schemas['Odds'];
export type Verdict = Schemas['Verdict'];

/** What the verdict ranks by, as entered: without what is uncertain. */
export const enteredUsd = (design: DesignResult, { ranked_by }: Pick<Comparison, 'ranked_by'>) =>
  ranked_by === 'present_value' ? design.npv_usd : design.total_usd;

export function designByLetter(
  comparison: Comparison,
  letter: string | null,
): DesignResult | undefined {
  return comparison.designs.find((design) => design.letter === letter);
}
