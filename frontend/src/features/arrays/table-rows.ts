import { quantity } from '../../lib/format';
import type { Answered } from './result';

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

/** What other models know of an array, by letter; each with the reason where they do not. */
export interface Beside {
  letter: string;
  figures: Record<string, { value: number | null; reason: string | null } | undefined>;
}

/** Rows that models other than the simulator fill. */
export const BESIDE = [
  { id: 'usable_tb', label: 'Usable capacity', unit: 'TB', lowerIsBetter: false },
  { id: 'usd_per_tb_year', label: 'Cost per TB and year', unit: 'USD', lowerIsBetter: true },
  {
    id: 'kgco2e_per_tb_year',
    label: 'Carbon per TB and year',
    unit: 'kgCO2e',
    lowerIsBetter: true,
  },
  {
    id: 'loss_fraction_per_year',
    label: 'Chance of data loss in a year, unreadable sectors included',
    unit: 'fraction',
    lowerIsBetter: true,
  },
] as const;

/** Rows of responses that say why they are withheld; the others say it when pointed at. */
const SPOKEN = new Set(['mean_ms', 'p95_ms']);

function simulated(rows: readonly Answered[], off: ReadonlySet<string>): TableRow[] {
  const figures = rows[0]?.result.measures ?? [];
  const all = figures.map(({ id, label, unit, lower_is_better: lowerIsBetter }, at) => {
    const cells = rows.flatMap(({ letter, result }) => {
      const found = result.measures[at];
      if (!found) return [];
      const { value, text, note } = found;
      const quiet = off.has(letter) && value === null && !SPOKEN.has(id);
      return [[letter, { value, text, note, quiet }] as const];
    });
    return { id, label, unit, lowerIsBetter, off, cells: new Map<string, Cell>(cells) };
  });
  // What no array has, and nobody asks why, is left out.
  return all.filter(({ cells }) =>
    [...cells.values()].some(({ value, note }) => value !== null || note !== null),
  );
}

/** The figures of the runs as rows, arrays as columns. */
export function tableRows(rows: readonly Answered[], beside: readonly Beside[]): TableRow[] {
  const off = new Set(rows.filter(({ result }) => result.saturated).map(({ letter }) => letter));
  const others = BESIDE.map((column) => {
    const cells = beside.map(({ letter, figures }) => {
      const { value = null, reason = null } = figures[column.id] ?? {};
      const cell: Cell = { value, text: quantity(value, column.unit), note: reason };
      return [letter, cell] as const;
    });
    return { ...column, off, cells: new Map(cells) };
  });
  return [...simulated(rows, off), ...others];
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
