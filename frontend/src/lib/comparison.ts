import type { Science } from './science';

/** A chart of a model as data: its finding, series and table. */
export type DrawnFigure = Science['performance.workload_taxonomy.Figure'];

/** What charts draw of a comparison, and the two designs that they hold against each other. */
/** A design's statement as it is printed: a column a fiscal year, the sum last. */
interface StatementTable {
  heads: readonly string[];
  lines: readonly {
    field: string;
    label: string;
    about: string;
    balance: boolean;
    cells: readonly string[];
  }[];
}

export interface Drawn {
  pair: readonly [from: string, to: string];
  figures: readonly DrawnFigure[];
  /** The lines of each design's years as they are printed, the total last. */
  years: Record<string, Partial<Record<string, readonly string[]>>>;
  /** Each design by fiscal year as printed; none of an answer before 2.48. */
  statements: Record<string, StatementTable | undefined>;
  statement_note: string;
  /** What an answer of an older version does not say of itself. */
  unsaid: object;
}

/** The answer of plans.compare, as every screen and chart of a study reads it. */
export type Comparison = Science['plans.compare.Result'] & { drawn?: Drawn };

/** An answer with what charts draw of it, as its address gives both; an old one as one of today. */
export const withDrawn = <R>({ result, drawn }: { result: R; drawn?: Drawn }): R =>
  drawn ? { ...result, ...drawn.unsaid, drawn } : result;

const PARTS = ['designs', 'break_evens', 'odds', 'rows'] as const;

/** What an address is asked for of a comparison: all of it, and what charts draw of two designs. */
export const wholeOf = (figures?: string) =>
  figures === undefined
    ? { include: [...PARTS] }
    : { include: [...PARTS, 'drawn' as const], figures };

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
/** A number that a figure is made of, and where it was entered if it was. */
export interface FormulaTerm {
  name: string;
  value: number;
  unit: string;
  pointer: string | null;
}
export type YearRow = Science['plans.compare.Year'];
export type Spare = Science['plans.compare.Spare'];
export type RackFigures = Science['plans.compare.RackFigures'];
export type RackFill = Science['plans.compare.RackFill'];
export type BreakEven = Science['plans.compare.BreakEven'];
export type TornadoBar = Science['plans.compare.TornadoBar'];
export type DifferenceRow = Science['plans.compare.Row'];
export type Odds = Science['plans.compare.Odds'];
export type Verdict = Science['plans.compare.Verdict'];

export function designByLetter(
  comparison: Comparison,
  letter: string | null,
): DesignResult | undefined {
  return comparison.designs.find((design) => design.letter === letter);
}
