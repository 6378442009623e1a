import type { ReactNode } from 'react';
import { Table } from '../../../components/table';
import styles from './imports.module.css';

export interface Column<R> {
  head: string;
  cell: (row: R) => ReactNode;
  number?: boolean;
}

/** Rows of a bill; above a dozen it scrolls. */
export function RowsTable<R>(props: {
  title: string;
  note?: string;
  rows: readonly R[];
  columns: readonly Column<R>[];
}) {
  if (props.rows.length === 0) return null;
  return (
    <section className={styles.panel} aria-label={props.title}>
      <h2>{props.title}</h2>
      {props.note && <p className="muted small">{props.note}</p>}
      <Table
        label={`${props.title}, table`}
        className={styles.scroll}
        heads={props.columns.map(({ head, number }) => ({
          label: head,
          className: number ? 'figure' : '',
        }))}
      >
        {props.rows.map((row, at) => (
          <tr key={at}>
            {props.columns.map((column) => (
              <td key={column.head} className={column.number ? 'figure' : ''}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </section>
  );
}
