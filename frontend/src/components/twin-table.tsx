import type { TableTwin } from '../lib/figure';
import { exact, quantity, unitAmong, type Currency } from '../lib/format';
import styles from './chart-panel.module.css';

interface TwinTableProps {
  table: TableTwin;
  caption: string;
  height: number;
  currency?: Currency;
}

/** The numbers of a chart as a table. */
export function TwinTable({ table, caption, height, currency }: TwinTableProps) {
  const numeric = table.columns.map((_, at) =>
    table.rows.some((row) => typeof row[at] === 'number'),
  );
  const largest = table.columns.map((_, at) =>
    Math.max(0, ...table.rows.map((row) => Math.abs(Number(row[at])) || 0)),
  );
  const heads = table.columns.map(({ label, unit }, at) => {
    const said = unitAmong(unit, largest[at] ?? 0, currency);
    return said ? `${label} (${said})` : label;
  });
  return (
    <div className={styles.twin} style={{ height }} tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {table.columns.map((column, at) => (
              <th key={column.label} scope="col" className={numeric[at] ? 'right' : ''}>
                {heads[at]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, line) => (
            <tr key={line}>
              {row.map((value, at) => {
                const unit = table.columns[at]?.unit ?? '';
                const number = typeof value === 'number' ? value : null;
                return (
                  <td
                    key={at}
                    className={numeric[at] ? 'right' : ''}
                    title={number === null ? undefined : exact(number, unit, currency)}
                  >
                    {typeof value === 'string'
                      ? value
                      : (table.printed?.[at]?.[line] ??
                        quantity(number, unit, currency, largest[at]))}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
