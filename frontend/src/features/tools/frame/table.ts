import { markOf, numberMark, type Mark } from '../../../lib/typed-number';
import { USD, type Currency } from '../../../lib/format';
import { readTyped, refusalOf } from '../../../lib/units';

export interface Column {
  key: string;
  label: string;
  /** As in the schema: a share is typed in percent. */
  unit?: string;
  /** A list is names with semicolons between them. */
  kind: 'text' | 'number' | 'list';
  /** What may be chosen, where there is a choice. */
  choices?: readonly string[];
  /** May be left empty. */
  optional?: boolean;
  width?: number;
}

export type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;

/** The cells of one line of CSV, of a spreadsheet's tabs, or of semicolons. */
function cells(line: string, separator: string): string[] {
  const found: string[] = [];
  let cell = '';
  let quoted = false;
  for (const sign of line) {
    if (sign === '"') quoted = !quoted;
    else if (sign === separator && !quoted) {
      found.push(cell.trim());
      cell = '';
    } else cell += sign;
  }
  return [...found, cell.trim()];
}

/** What parts the cells: a tab, else what stands oftener in the first line. */
function separatorOf(text: string): string {
  if (text.includes('\t')) return '\t';
  const [first = ''] = text.trimStart().split('\n');
  return first.split(';').length > first.split(',').length ? ';' : ',';
}

function isHead(first: readonly string[], columns: readonly Column[]): boolean {
  const names = new Set(columns.flatMap(({ key, label }) => [key, label.toLowerCase()]));
  return first.some((cell) => names.has(cell.toLowerCase()));
}

export interface Pasted {
  rows: Row[];
  faults: string[];
}

/** How the numbers of each column are written: as its cells say, else those of all, else as one types. */
function marksOf(lines: readonly (readonly string[])[], places: readonly number[]): Mark[] {
  const columns = places.map((place) => lines.map((cells) => cells[place] ?? ''));
  const shared = markOf(columns.flat()) ?? numberMark();
  return columns.map((cells) => markOf(cells) ?? shared);
}

/**
 * Rows from pasted text, one line each; a head line may name the columns, in any order.
 * Cells that cannot be read are said, with their line, and left empty.
 */
export function parseRows(
  text: string,
  columns: readonly Column[],
  currency: Currency = USD,
): Pasted {
  const separator = separatorOf(text);
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => cells(line, separator));
  const [first = []] = lines;
  const headed = isHead(first, columns);
  const places = columns.map((column, at) =>
    headed
      ? first.findIndex((cell) =>
          [column.key, column.label.toLowerCase()].includes(cell.toLowerCase()),
        )
      : at,
  );
  const body = lines.slice(headed ? 1 : 0);
  const numbers = places.filter((_, at) => columns[at]?.kind === 'number');
  const marks = new Map(marksOf(body, numbers).map((mark, at) => [numbers[at] ?? -1, mark]));
  const faults: string[] = [];
  const rows = body.map((values, index) =>
    Object.fromEntries(
      columns.map(({ key, label, kind, unit = '' }, at) => {
        const place = places[at] ?? -1;
        const said = values[place] ?? '';
        if (kind !== 'number') return [key, said];
        if (said === '') return [key, null];
        const value = readTyped(said, unit, currency, { name: label, mark: marks.get(place) });
        if (value === null) {
          faults.push(
            `Line ${index + (headed ? 2 : 1)}, ${label}: “${said}”. ${refusalOf(unit, currency)}`,
          );
        }
        return [key, value];
      }),
    ),
  );
  return { rows, faults };
}

export function text(row: Row, key: string): string {
  return String(row[key] ?? '').trim();
}

function number(row: Row, key: string): number | null {
  const value = row[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The labels of the columns that a row leaves empty and must not. */
export function missing(row: Row, columns: readonly Column[]): string[] {
  return columns
    .filter(({ key, kind, optional }) =>
      optional ? false : kind === 'number' ? number(row, key) === null : text(row, key) === '',
    )
    .map(({ label }) => (/^[A-Z]{2}/.test(label) ? label : label.toLowerCase()));
}

export function emptyRow(columns: readonly Column[]): Row {
  return Object.fromEntries(columns.map(({ key, kind }) => [key, kind === 'number' ? null : '']));
}
