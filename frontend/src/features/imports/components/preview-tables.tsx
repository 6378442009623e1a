import { MISSING, date, percent, quantity } from '../../../lib/format';
import type { PreviewTable } from '../api/imports';
import { amount, type Preview } from '../preview';
import { RowsTable } from './table';

type PreviewColumn = PreviewTable['columns'][number];

function said(value: unknown, column: PreviewColumn): string {
  if (value == null || value === '') return MISSING;
  switch (column.said_as) {
    case 'money':
      return amount(String(value), column.unit ?? '');
    case 'fraction':
      return percent(Number(value));
    case 'date':
      return date(String(value));
    case 'count':
      return Number(value).toLocaleString('en-GB', { maximumFractionDigits: 1 });
    case 'quantity':
      return quantity(Number(value), column.unit);
    default:
      return String(value);
  }
}

/** Everything that a file says, table by table, as the server orders it. */
export function PreviewTables({ tables }: { tables: readonly PreviewTable[] }) {
  return tables.map((table) => (
    <RowsTable
      key={table.title}
      title={table.title}
      note={table.note}
      rows={table.rows as unknown[][]}
      columns={table.columns.map((column, at) => ({
        head: column.title,
        number: column.said_as !== 'text' && column.said_as !== 'date',
        cell: (row: unknown[]) => said(row[at], column),
      }))}
    />
  ));
}

/** Lines that could not be read, with the reason of each. */
export function FaultsTable({ preview }: { preview: Preview }) {
  return (
    <RowsTable
      title={`Cells and rows that could not be read: ${preview.faults_count.toLocaleString('en-GB')}`}
      rows={preview.faults}
      columns={[
        { head: 'Row', number: true, cell: (row) => row.line.toLocaleString('en-GB') },
        { head: 'What is wrong', cell: (row) => row.message },
      ]}
    />
  );
}
