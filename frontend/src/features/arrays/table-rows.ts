import type { Answered, Measure } from './result';

export interface Cell {
  value: number | null;
  /** The value as read; an em dash where there is none. */
  text: string;
  /** Why there is no value, or more about the one there is. */
  note: string | null;
  /** Said often: shown where one points at it only. */
  quiet?: boolean;
}

export interface TableRow {
  id: string;
  label: string;
  unit: string;
  lowerIsBetter: boolean | null;
  cells: Map<string, Cell>;
  /** Arrays that cannot keep up: nothing of them is best. */
  off: ReadonlySet<string>;
}

/** What a run or the plan says of an array; with the reason where it was refused. */
export interface Measured {
  letter: string;
  measures: readonly Measure[];
  refused?: string | null;
}

/** Rows of responses that say why they are withheld; the others say it when pointed at. */
const SPOKEN = new Set(['mean_ms', 'p95_ms']);

function rowsOf(all: readonly Measured[], off: ReadonlySet<string>): TableRow[] {
  const known = all.find(({ measures }) => measures.length > 0)?.measures ?? [];
  return known.map(({ id, label, unit, lower_is_better: lowerIsBetter }, at) => {
    const cells = all.map(({ letter, measures, refused = null }) => {
      const { value = null, text = '—', note = refused } = measures[at] ?? {};
      const quiet = off.has(letter) && value === null && !SPOKEN.has(id);
      return [letter, { value, text, note, quiet }] as const;
    });
    return { id, label, unit, lowerIsBetter, off, cells: new Map<string, Cell>(cells) };
  });
}

/** The figures of the runs and of the plan as rows, arrays as columns. */
export function tableRows(rows: readonly Answered[], beside: readonly Measured[]): TableRow[] {
  const off = new Set(rows.filter(({ result }) => result.saturated).map(({ letter }) => letter));
  const found = rows.map(({ letter, result }) => ({ letter, measures: result.measures }));
  // What no array has, and nobody asks why, is left out.
  const simulated = rowsOf(found, off).filter(({ cells }) =>
    [...cells.values()].some(({ value, note }) => value !== null || note !== null),
  );
  return [...simulated, ...rowsOf(beside, off)];
}

/** The array with the best value of a row; none where they read the same, stand alone or are not comparable. */
export function bestOf(row: TableRow): string | null {
  if (row.lowerIsBetter === null) return null;
  const known = [...row.cells].flatMap(([letter, { value, text }]) =>
    value === null || row.off.has(letter) ? [] : [{ letter, value, text }],
  );
  if (known.length < 2) return null;
  const sign = row.lowerIsBetter ? 1 : -1;
  const [first, second] = known.sort((a, b) => sign * (a.value - b.value));
  return first && second && first.text !== second.text ? first.letter : null;
}
