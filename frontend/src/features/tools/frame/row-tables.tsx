import type { ReactNode } from 'react';
import type { Model } from '../../../lib/models';
import { isObject, type JsonObject } from '../../../lib/pointer';
import { resolve, words, type JsonSchema } from '../../../lib/schema';
import { statedCurrency, type Currency } from '../../../lib/format';
import { toTyped } from '../../../lib/units';
import { EditTable } from './edit-table';
import { missing, text, type Cell, type Column, type Row } from './table';
import { Panel } from './view-frame';

/** A list of the model's input that is shown as one table, which rows can be pasted into. */
export interface RowTable {
  key: string;
  title: string;
  description: string;
  columns: Column[];
}

/** What may be done with the rows of a table beside typing and pasting them. */
export type RowActions = Record<string, (rows: Row[], onRows: (rows: Row[]) => void) => ReactNode>;

const WIDE = 168;
const LISTED = 96;
const LONG_TEXT = 60;

const KINDS: Record<string, Column['kind']> = { string: 'text', array: 'list' };

function columnOf(key: string, written: JsonSchema, item: JsonSchema, root: JsonSchema): Column {
  const { schema, nullable } = resolve(written, root);
  const kind = KINDS[schema.type ?? ''] ?? 'number';
  const isLong = kind === 'text' && (schema.maxLength ?? 0) > LONG_TEXT;
  return {
    key,
    label: schema.title ?? words(key),
    unit: schema.unit,
    kind,
    choices: schema.enum?.map(String),
    optional: nullable || !item.required?.includes(key),
    width: isLong ? WIDE : kind === 'list' ? LISTED : undefined,
  };
}

export function rowTables(root: JsonSchema): RowTable[] {
  return Object.entries(root.properties ?? {}).flatMap(([key, written]) => {
    const { schema } = resolve(written, root);
    if (schema.presented !== 'table' || !schema.items) return [];
    const { schema: item } = resolve(schema.items, root);
    const columns = Object.entries(item.properties ?? {}).map(([name, property]) =>
      columnOf(name, property, item, root),
    );
    const { title = words(key), description = '' } = schema;
    return [{ key, title, description, columns }];
  });
}

const PARTED = '; ';

/** The entries of a list as rows of its table. */
function rowsOf(params: JsonObject, { key, columns }: RowTable): Row[] {
  const held = params[key];
  const lists = columns.filter(({ kind }) => kind === 'list');
  const entries = Array.isArray(held) ? held.filter(isObject) : [];
  return entries.map((entry) => {
    const joined = lists.map(({ key: name }) => {
      const names = entry[name];
      return [name, Array.isArray(names) ? names.join(PARTED) : (names ?? '')];
    });
    return { ...entry, ...Object.fromEntries(joined) } as Row;
  });
}

const namesIn = (cell: string) =>
  cell
    .split(/[;|]/)
    .map((name) => name.trim())
    .filter(Boolean);

/** Rows whose values are all known; what they leave open has the model's own value. */
function known(rows: readonly Row[], columns: readonly Column[]): JsonObject[] {
  const full = rows.filter((row) => missing(row, columns).length === 0);
  return full.map((row) =>
    Object.fromEntries(
      columns.flatMap(({ key, kind, optional }) => {
        const cell = text(row, key);
        if (optional && cell === '') return [];
        return [[key, kind === 'list' ? namesIn(cell) : (row[key] ?? null)]];
      }),
    ),
  );
}

/** What the model is asked: rows that lack a value are left out until they are whole. */
export function askedWith(params: JsonObject, tables: readonly RowTable[]): JsonObject {
  const whole = tables
    .filter(({ key }) => params[key] !== undefined)
    .map((table) => [table.key, known(rowsOf(params, table), table.columns)] as const);
  return { ...params, ...Object.fromEntries(whole) };
}

/** Why rows are left out, one sentence each. */
export function leftOut(rows: readonly Row[], columns: readonly Column[]): string[] {
  return rows.flatMap((row) => {
    const lacks = missing(row, columns);
    const name = text(row, columns[0]?.key ?? '') || 'A row without a name';
    return lacks.length > 0 ? [`${name} is left out: its ${lacks.join(', ')} is not known.`] : [];
  });
}

function example(columns: readonly Column[], row: Row | undefined, currency: Currency): string {
  const cell = (value: Cell, unit = '') =>
    typeof value === 'number' ? toTyped(value, unit, currency) : (value ?? '').replaceAll(',', ' ');
  const head = columns.map(({ label }) => label.toLowerCase()).join(',');
  if (!row) return head;
  return `${head}\n${columns.map(({ key, unit }) => cell(row[key] ?? '', unit)).join(',')}`;
}

interface RowTablesProps {
  model: Model;
  tables: readonly RowTable[];
  params: JsonObject;
  actions?: RowActions;
  onChange: (params: JsonObject) => void;
}

/** The lists of a model's input that are tables, each with what it leaves out. */
export function RowTables({ model, tables, params, actions = {}, onChange }: RowTablesProps) {
  const currency = statedCurrency(params.currency);
  return tables.map((table) => {
    const { key, title, description, columns } = table;
    const rows = rowsOf(params, table);
    const put = (next: Row[]) => onChange({ ...params, [key]: next as JsonObject[] });
    return (
      <Panel key={key} title={title}>
        <EditTable
          label={`${title}, table`}
          columns={columns}
          rows={rows}
          currency={currency}
          onRows={put}
          example={example(columns, rowsOf(model.start ?? {}, table)[0], currency)}
          actions={actions[key]?.(rows, put)}
        />
        {leftOut(rows, columns).map((reason) => (
          <p key={reason} className="muted small">
            {reason}
          </p>
        ))}
        <p className="muted small">{description}</p>
      </Panel>
    );
  });
}
