import type { CSSProperties, ReactNode } from 'react';
import compared from '../comparison-table.module.css';
import { ActionHead } from '../action-head';
import { DesignBadge } from '../design-badge';
import { Rich } from '../rich';
import type { ToldTable } from './told';
import styles from './told.module.css';

type ToldRow = ToldTable['rows'][number];

interface TableProps {
  table: ToldTable;
  /** What can be done with a row, at its end. */
  act?: (row: ToldRow, at: number) => ReactNode;
}

function Head({ table, at }: { table: ToldTable; at: number }) {
  const { columns, means, letters } = table;
  const letter = letters?.[at - 1];
  // A head that says nothing is no head.
  if (!columns[at]) return <td />;
  return (
    <th scope="col" title={means?.[at] ?? undefined}>
      {letter ? (
        <div className={compared.design}>
          <span>{columns[at]}</span>
          <DesignBadge letter={letter} />
        </div>
      ) : (
        columns[at]
      )}
    </th>
  );
}

function Cell({ row, at, letter }: { row: ToldRow; at: number; letter?: string }) {
  const best = letter !== undefined && row.best === letter;
  const under = row.under?.[at];
  return (
    <td className={best ? compared.best : undefined} title={row.hints?.[at] ?? undefined}>
      {best && <span className={compared.dot} role="img" aria-label="best" />}
      {row.cells[at]}
      {under && <span className={`small ${compared.under}`}>{under}</span>}
    </td>
  );
}

function Rows({ table, act }: TableProps) {
  const { title, columns, rows, letters } = table;
  return (
    <div className="table" tabIndex={0} role="region" aria-label={title}>
      <table
        className={letters ? `${styles.beside} ${compared.table} ${compared.all}` : styles.ranking}
        style={{ '--columns': letters?.length } as CSSProperties}
      >
        {columns.length > 0 && (
          <thead>
            <tr>
              {columns.map((_column, at) => (
                <Head key={at} table={table} at={at} />
              ))}
              {act && <ActionHead />}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, line) => (
            <tr key={row.head} data-best={row.is_best || undefined}>
              <th scope="row" title={row.means ?? undefined}>
                {row.head}
              </th>
              {row.cells.map((_cell, at) => (
                <Cell key={at} row={row} at={at} letter={letters?.[at]} />
              ))}
              {act && <td>{act(row, line)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PanelProps extends TableProps {
  children?: ReactNode;
}

/** A table of an answer, as its model words it, and what else stands below it. */
export function ToldPanel({ children, ...props }: PanelProps) {
  const { title, note } = props.table;
  return (
    <section className={styles.panel}>
      <h2 className="title">{title}</h2>
      <Rows {...props} />
      {note && (
        <p className="muted small">
          <Rich text={note} />
        </p>
      )}
      {children}
    </section>
  );
}

/** The tables of an answer. */
export const ToldTables = ({ tables }: { tables: readonly ToldTable[] }) =>
  tables.map((table) => <ToldPanel key={table.title} table={table} />);
