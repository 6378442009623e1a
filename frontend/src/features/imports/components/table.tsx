import type { ReactNode } from 'react';
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
      <div
        className={styles.scroll}
        tabIndex={0}
        role="region"
        aria-label={`${props.title}, table`}
      >
        <table>
          <thead>
            <tr>
              {props.columns.map((column) => (
                <th key={column.head} scope="col" className={column.number ? styles.number : ''}>
                  {column.head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {props.rows.map((row, at) => (
              <tr key={at}>
                {props.columns.map((column) => (
                  <td key={column.head} className={column.number ? styles.number : ''}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
