import { useQuery } from '@tanstack/react-query';
import { QueryState } from '../../../components/query-state';
import { quantity } from '../../../lib/format';
import { usageQueryOptions } from '../api/usage';
import styles from './settings.module.css';

/** Whole ones, and nothing of a unit that the row's name says already. */
function amount(value: number, unit: string): string {
  if (unit === 'MB') return quantity(value, unit);
  if (value > 0 && value < 1) return `less than 1${unit === 'minutes' ? ' minute' : ''}`;
  const whole = Math.round(value).toLocaleString('en-GB');
  return unit === 'minutes' ? `${whole} ${whole === '1' ? 'minute' : 'minutes'}` : whole;
}

/** What the workspace uses, and how much it may. */
export function Usage() {
  const usage = useQuery(usageQueryOptions);
  return (
    <section className={styles.panel} aria-labelledby="usage-title">
      <div>
        <h2 id="usage-title">Usage</h2>
        <p className="muted">What this workspace has, and how much it may have.</p>
      </div>
      <QueryState
        query={usage}
        minHeight={160}
        isEmpty={(rows) => rows.length === 0}
        empty="Nothing is counted."
      >
        {(rows) => (
          <div className={styles.tokens} tabIndex={0} role="region" aria-label="Usage by kind">
            <table>
              <thead>
                <tr>
                  <th scope="col">What</th>
                  <th scope="col">Used</th>
                  <th scope="col">At most</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.name}>
                    <th scope="row">{row.title}</th>
                    <td>{amount(row.used, row.unit)}</td>
                    <td>{row.limit === null ? 'no limit' : amount(row.limit, row.unit)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </QueryState>
    </section>
  );
}
