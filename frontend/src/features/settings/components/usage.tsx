import { useQuery } from '@tanstack/react-query';
import { Panel } from '../../../components/panel';
import { QueryState } from '../../../components/query-state';
import { Table } from '../../../components/table';
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
    <Panel id="usage" title="Usage" about="What this workspace has, and how much it may have.">
      <QueryState query={usage} minHeight={160} empty="Nothing is counted.">
        {(rows) => (
          <Table
            label="Usage by kind"
            className={`${styles.tokens} table`}
            heads={['What', 'Used', 'At most']}
          >
            {rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">{row.title}</th>
                <td>{amount(row.used, row.unit)}</td>
                <td>{row.limit === null ? 'no limit' : amount(row.limit, row.unit)}</td>
              </tr>
            ))}
          </Table>
        )}
      </QueryState>
    </Panel>
  );
}
