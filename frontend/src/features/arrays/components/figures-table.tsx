import { DesignBadge } from '../../../components/design-badge';
import type { Answered } from '../result';
import { bestOf, type Cell, type TableRow } from '../table-rows';
import styles from './table.module.css';

function CellView({ cell, best }: { cell: Cell | undefined; best: boolean }) {
  const missing = cell?.value == null;
  return (
    <td className={best ? styles.best : ''} title={missing ? (cell?.note ?? undefined) : undefined}>
      {best && <span className={styles.dot} role="img" aria-label="best" />}
      {cell?.text ?? '—'}
      {cell?.note && <span className={styles.under}>{cell.note}</span>}
    </td>
  );
}

/** The figures of the runs: a row for each, arrays as columns, the best of a row marked. */
export function FiguresTable({ rows, arrays }: { rows: TableRow[]; arrays: readonly Answered[] }) {
  return (
    <div className={styles.wrap} tabIndex={0} role="region" aria-label="Figures of the arrays">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Figures</th>
            {arrays.map(({ letter, title }) => (
              <th key={letter} scope="col">
                <span className={styles.name}>
                  <DesignBadge letter={letter} /> <span>{title}</span>
                </span>
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
