import type { CSSProperties } from 'react';
import styles from '../../../components/comparison-table.module.css';
import { DesignBadge } from '../../../components/design-badge';
import type { Answered } from '../result';
import { bestOf, type Cell, type TableRow } from '../table-rows';

function CellView({ cell, best }: { cell: Cell | undefined; best: boolean }) {
  const missing = cell?.value == null;
  return (
    <td
      className={`${styles.cell} ${best ? styles.best : ''}`}
      title={missing ? (cell?.note ?? undefined) : undefined}
    >
      {best && <span className={styles.dot} role="img" aria-label="best" />}
      {cell?.text ?? '—'}
      {cell?.note && !cell.quiet && <span className={`small ${styles.under}`}>{cell.note}</span>}
    </td>
  );
}

/** The figures of the runs: a row for each, arrays as columns, the best of a row marked. */
export function FiguresTable({ rows, arrays }: { rows: TableRow[]; arrays: readonly Answered[] }) {
  return (
    <div className={styles.wrap} tabIndex={0} role="region" aria-label="Figures of the arrays">
      <table
        className={`${styles.table} ${styles.all}`}
        style={{ '--columns': arrays.length } as CSSProperties}
      >
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Figure</span>
            </th>
            {arrays.map(({ letter, title }) => (
              <th key={letter} scope="col">
                <div className={styles.design}>
                  <span>{title}</span>
                  <DesignBadge letter={letter} />
                </div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const best = bestOf(row);
            return (
              <tr key={row.id}>
                <th scope="row">{row.label}</th>
                {arrays.map(({ letter }) => (
                  <CellView key={letter} cell={row.cells.get(letter)} best={letter === best} />
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
