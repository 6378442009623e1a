import type { ReactNode } from 'react';
import type { Model } from '../../../lib/models';
import { isObject, type JsonObject } from '../../../lib/pointer';
import { resolve, words, type JsonSchema } from '../../../lib/schema';
import { EditTable } from './edit-table';
import { missing, text, type Column, type Row } from './table';
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
const LONG_TEXT = 60;

function columnOf(key: string, written: JsonSchema, item: JsonSchema, root: JsonSchema): Column {
  const { schema, nullable } = resolve(written, root);
  const isText = schema.type === 'string';
  return {
    key,
    label: schema.title ?? words(key),
    unit: schema.unit,
    kind: isText ? 'text' : 'number',
    optional: nullable || !item.required?.includes(key),
    width: isText && (schema.maxLength ?? 0) > LONG_TEXT ? WIDE : undefined,
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

const rowsOf = (params: JsonObject, key: string): Row[] => {
  const held = params[key];
  return Array.isArray(held) ? (held.filter(isObject) as Row[]) : [];
};

/** Rows whose values are all known; what they leave open has the model's own value. */
function known(rows: readonly Row[], columns: readonly Column[]): JsonObject[] {
  const full = rows.filter((row) => missing(row, columns).length === 0);
  return full.map((row) => {
    const left = columns.filter(({ key, optional }) => optional && text(row, key) === '');
    return Object.fromEntries(
      Object.entries(row).filter(([key]) => !left.some((column) => column.key === key)),
    );
  });
}

/** What the model is asked: rows that lack a value are left out until they are whole. */
export function askedWith(params: JsonObject, tables: readonly RowTable[]): JsonObject {
  const whole = tables
    .filter(({ key }) => params[key] !== undefined)
    .map(({ key, columns }) => [key, known(rowsOf(params, key), columns)] as const);
  return { ...params, ...Object.fromEntries(whole) };
}

/** Why rows are left out, one sentence each. */
export function leftOut(rows: readonly Row[], columns: readonly Column[]): string[] {
  return rows.flatMap((row) => {
    const lacks = missing(row, columns);
    const name = text(row, 'name') || 'A row without a name';
    return lacks.length > 0 ? [`${name} is left out: its ${lacks.join(', ')} is not known.`] : [];
  });
}

const example = (columns: readonly Column[], row: Row | undefined) =>
  [
    columns.map(({ label }) => label.toLowerCase()).join(','),
    ...(row ? [columns.map(({ key }) => text(row, key).replaceAll(',', ' ')).join(',')] : []),
  ].join('\n');

interface RowTablesProps {
  model: Model;
  tables: readonly RowTable[];
  params: JsonObject;
  actions?: RowActions;
  onChange: (params: JsonObject) => void;
}

/** The lists of a model's input that are tables, each with what it leaves out. */
export function RowTables({ model, tables, params, actions = {}, onChange }: RowTablesProps) {
  return tables.map(({ key, title, description, columns }) => {
    const rows = rowsOf(params, key);
    const put = (next: Row[]) => onChange({ ...params, [key]: next as JsonObject[] });
    return (
      <Panel key={key} title={title}>
        <EditTable
          label={`${title}, table`}
          columns={columns}
          rows={rows}
          onRows={put}
          example={example(columns, rowsOf(model.start ?? {}, key)[0])}
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
