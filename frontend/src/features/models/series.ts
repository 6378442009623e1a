import { unitLabel } from '../../lib/format';
import type { Cell, Rows } from './result-parts';

/** What a chart of a table's columns shows. */
export interface Choice {
  x: number;
  y: number[];
}

export interface Offer {
  value: string;
  label: string;
  columns: number[];
}

const FEWEST = 2;
// Fewer points make no curve.
const CURVE = 5;
// Numbers of these may count different things.
const BARE = new Set(['', 'count', 'ratio', '1']);

function column(table: Rows, at: number): Cell[] {
  return table.rows.map((row) => row[at] ?? null);
}

export function isNumeric(table: Rows, at: number): boolean {
  const cells = column(table, at).filter((cell) => cell !== null);
  return cells.length > 0 && cells.every((cell) => typeof cell === 'number');
}

/** The rows of each line of a chart: one per group, or all of them. */
export function groupsOf(table: Rows): { name: string | null; rows: Cell[][] }[] {
  const { by } = table;
  if (by === null) return [{ name: null, rows: table.rows }];
  const names = [...new Set(table.rows.map((row) => String(row[by])))];
  return names.map((name) => ({
    name,
    rows: table.rows.filter((row) => String(row[by]) === name),
  }));
}

/** Whether a column rises from row to row, so that other columns can be drawn over it. */
function rises(table: Rows, at: number): boolean {
  if (!isNumeric(table, at)) return false;
  return groupsOf(table).every(({ rows }) => {
    const values = rows.map((row) => row[at]);
    return values.every(
      (value, row) =>
        typeof value === 'number' && (row === 0 || value > (values[row - 1] as number)),
    );
  });
}

/** A column that names its rows. */
function names(table: Rows, at: number): boolean {
  return groupsOf(table).every(({ rows }) => {
    const cells = rows.map((row) => row[at]);
    return cells.every((cell) => typeof cell === 'string') && new Set(cells).size === cells.length;
  });
}

/** The columns that a chart may run over: of many rows numbers that rise, of few their names. */
export function xOffers(table: Rows): number[] {
  const all = table.columns.map((_, at) => at).filter((at) => at !== table.by);
  const rising = all.filter((at) => rises(table, at));
  const naming = all.filter((at) => names(table, at));
  const few = groupsOf(table).some(({ rows }) => rows.length < CURVE);
  return few ? [...naming, ...rising] : [...rising, ...naming];
}

/** What can be drawn over a column: every other number, and all of one unit together. */
export function yOffers(table: Rows, x: number): Offer[] {
  const isBare = (at: number) => BARE.has(table.columns[at]?.unit ?? '');
  const all = table.columns
    .map((_, at) => at)
    .filter((at) => at !== x && at !== table.by && table.columns[at]?.key !== '#')
    .filter((at) => isNumeric(table, at))
    .sort((one, other) => Number(isBare(one)) - Number(isBare(other)));
  const single = all.map((at) => ({
    value: String(at),
    label: table.columns[at]?.label ?? '',
    columns: [at],
  }));
  if (table.by !== null) return single;
  const units = [...new Set(all.map((at) => table.columns[at]?.unit ?? ''))].filter(
    (unit) => !BARE.has(unit),
  );
  const together = units
    .map((unit) => ({ unit, columns: all.filter((at) => table.columns[at]?.unit === unit) }))
    .filter(({ columns }) => columns.length > 1 && columns.length <= 8)
    .map(({ unit, columns }) => ({
      value: columns.join(' '),
      label: `All in ${unitLabel(unit)}`,
      columns,
    }));
  const [first] = all;
  const fits = together.find(({ columns }) => first !== undefined && columns.includes(first));
  return fits
    ? [fits, ...single, ...together.filter((offer) => offer !== fits)]
    : [...single, ...together];
}

/** Whether a table has anything to draw. */
export function canDraw(table: Rows): boolean {
  const [x] = xOffers(table);
  return table.rows.length > FEWEST && x !== undefined && yOffers(table, x).length > 0;
}
