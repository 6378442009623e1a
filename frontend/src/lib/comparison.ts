import type { Science } from './science';

/** A chart of a model as data: its finding, series and table. */
export type DrawnFigure = Science['performance.workload_taxonomy.Figure'];

/** What charts draw of a comparison, and the two designs that they hold against each other. */
export interface Drawn {
  pair: readonly [from: string, to: string];
  figures: readonly DrawnFigure[];
}

/** The answer of plans.compare, as every screen and chart of a study reads it. */
export type Comparison = Science['plans.compare.Result'] & { drawn?: Drawn };

/** An answer with what charts draw of it, as its address gives both. */
export const withDrawn = <R>({ result, drawn }: { result: R; drawn?: Drawn }): R =>
  drawn ? { ...result, drawn } : result;

/** Which two designs charts are asked of; without its letter, the one most worth comparing. */
export const figuresOf = (from = '', to = '') => `${from}-${to}`;

/** One of the charts of an answer; nothing where it has none of that name. */
export const figureOf = ({ drawn }: Comparison, name: string, of?: string) =>
  drawn?.figures.find((one) => one.name === name && (of === undefined || one.of === of)) ?? null;

export interface Pair {
  from: string;
  to: string;
}

/** The two designs that an answer's charts hold against each other. */
export const pairOf = ({ drawn }: Comparison): Pair => {
  const [from = '', to = ''] = drawn?.pair ?? [];
  return { from, to };
};
export type DesignResult = Science['plans.compare.DesignResult'];
export type CauseCost = Science['plans.compare.CauseAmount'];
export type FormulaTerm = Science['plans.compare.Term'];
export type YearRow = Science['plans.compare.Year'];
export type Spare = Science['plans.compare.Spare'];
export type RackFigures = Science['plans.compare.RackFigures'];
export type RackFill = Science['plans.compare.RackFill'];
export type BreakEven = Science['plans.compare.BreakEven'];
export type TornadoBar = Science['plans.compare.TornadoBar'];
export type DifferenceRow = Science['plans.compare.Row'];
export type Odds = Science['plans.compare.Odds'];
export type Verdict = Science['plans.compare.Verdict'];

/** Years of a result stored before version 2.17 do not say what they add to what is ranked. */
const yearsOf = ({ years }: DesignResult, byValue: boolean): DesignResult['years'] =>
  years.map((year) => {
    const ranked_usd = byValue ? year.npv_usd : year.cash_usd;
    return { ...year, ranked_usd: (year as Partial<YearRow>).ranked_usd ?? ranked_usd };
  });

/**
 * A result stored before version 2.5 does not say what its parts count in what it is ranked by:
 * they are as entered there.
 */
export function completed(stored: Comparison): Comparison {
  const byValue = stored.ranked_by === 'present_value';
  const designs = stored.designs.map((one) => ({ ...one, years: yearsOf(one, byValue) }));
  if (stored.measure) return { ...stored, designs };
  return {
    ...stored,
    measure: `${byValue ? 'Present value' : 'Cost'}, as entered`,
    designs: designs.map((design) => ({
      ...design,
      cumulative_ranked_usd: byValue ? design.cumulative_npv_usd : design.cumulative_usd,
      causes: design.causes.map((cause) => ({
        ...cause,
        ranked_usd: byValue ? cause.npv_usd : cause.amount_usd,
      })),
    })),
  };
}

export function designByLetter(
  comparison: Comparison,
  letter: string | null,
): DesignResult | undefined {
  return comparison.designs.find((design) => design.letter === letter);
}
