import { Rich } from '../rich';
import type { ToldTable } from './told';
import styles from './told.module.css';

function Rows({ table: { title, columns, means, rows } }: { table: ToldTable }) {
  return (
    <div className="table" tabIndex={0} role="region" aria-label={title}>
      <table className={styles.ranking}>
        {columns.length > 0 && (
          <thead>
            <tr>
              {columns.map((column, at) => (
                <th key={column} scope="col" title={means?.[at] ?? undefined}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row) => (
            <tr key={row.head} data-best={row.is_best || undefined}>
              <th scope="row" title={row.means ?? undefined}>
                {row.head}
              </th>
              {row.cells.map((cell, at) => (
                <td key={at}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The tables of an answer, as its model words them. */
export function ToldTables({ tables }: { tables: readonly ToldTable[] }) {
  return tables.map((table) => (
    <section key={table.title} className={styles.panel}>
      <h2 className="title">{table.title}</h2>
      <Rows table={table} />
      {table.note && (
        <p className="muted small">
          <Rich text={table.note} />
        </p>
      )}
    </section>
  ));
}
