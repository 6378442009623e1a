import type { JsonObject } from '../../lib/pointer';
import type { Science } from '../../lib/science';

type PlainTable = Science['performance.workload_taxonomy.Table'];
type Beside = Science['storage.array_verdict.FiguresTable'];

/** A table; of arrays side by side, with their letters, what is best, and what stands under cells. */
export type ToldTable = Omit<PlainTable, 'rows'> & {
  rows: readonly (PlainTable['rows'][number] & Partial<Beside['rows'][number]>)[];
  letters?: Beside['letters'];
};
export type ToldFigure = Science['performance.workload_taxonomy.Figure'];

type Some<T, K extends keyof T> = Pick<T, K> & Partial<T>;
type GivenAxis = Some<ToldFigure['along'], 'title' | 'unit'>;
type Axes = 'along' | 'across' | 'measure' | 'series';

/** A figure without what it does not say. */
export type GivenFigure = Some<Omit<ToldFigure, Axes>, 'kind' | 'name' | 'title'> & {
  along: GivenAxis;
  across?: GivenAxis | null;
  measure?: GivenAxis | null;
  series: readonly Some<ToldFigure['series'][number], 'name' | 'values'>[];
};

/** What an answer says: its sentence, what it rests on, its tables and figures. */
export interface Told {
  headline: string;
  notes?: readonly string[];
  tables?: readonly ToldTable[];
  figures?: readonly ToldFigure[];
}

/** The tables and figures that a result of any model tells; results of others have none. */
export function toldOf({ headline, tables, figures }: JsonObject): Partial<Told> {
  if (typeof headline !== 'string' || !Array.isArray(tables) || !Array.isArray(figures)) return {};
  return { tables, figures } as unknown as Partial<Told>;
}
