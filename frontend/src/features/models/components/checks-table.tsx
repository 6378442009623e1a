import { useQuery } from '@tanstack/react-query';
import { Icon } from '../../../components/icon';
import { QueryState } from '../../../components/query-state';
import { Table } from '../../../components/table';
import { date, exact, quantity } from '../../../lib/format';
import { checksQueryOptions, type PublishedCheck } from '../../../lib/models';
import styles from './models.module.css';

type Value = PublishedCheck['published'] | null;

/** What stands beside a figure that no source prints. */
const BASIS: Record<string, string | undefined> = {
  derived: 'recomputed',
  regression: 'our earlier value',
};

function figure(value: Value, unit: string): string {
  if (value === null) return '—';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  return exact(Number(value.toPrecision(6)), unit);
}

function Row({ check }: { check: PublishedCheck }) {
  const { unit } = check;
  return (
    <tr>
      <th scope="row">
        {check.title}
        <br />
        <span className="muted small">
          {check.source}

          {check.note && `. ${check.note}`}
        </span>
      </th>
      <td className="figure">
        {check.printed ?? figure(check.published, unit)}
        {BASIS[check.basis] && <div className="muted small">{BASIS[check.basis]}</div>}
      </td>
      <td
        className="figure"
        title={typeof check.ours === 'number' ? exact(check.ours, unit) : undefined}
      >
        {figure(check.ours, unit)}
      </td>
      <td className="figure muted">
        {check.tolerance > 0 ? `± ${quantity(check.tolerance, unit)}` : 'exact'}
      </td>
      <td>
        {check.ok && check.measured ? (
          <span className="muted">held on {date(check.measured)}; needs data not shipped</span>
        ) : (
          <span className={`${styles.mark} ${check.ok ? 'good' : 'fault'}`}>
            <Icon name={check.ok ? 'check' : 'warning'} size={14} />
            {check.ok ? 'holds' : 'differs'}
          </span>
        )}
      </td>
    </tr>
  );
}

/** The figures that papers print, and ours beside them, computed now. */
export function ChecksTable({ model }: { model: string }) {
  const checks = useQuery(checksQueryOptions(model));
  return (
    <section aria-labelledby="checks-title">
      <h2 id="checks-title">Published checks, run just now</h2>
      <QueryState
        query={checks}
        minHeight={160}
        empty="No paper prints a figure that this model could be held against."
      >
        {(list) => (
          <Table
            label="Published checks"
            className={`${styles.checks} box table boxed`}
            heads={[
              'Figure',
              { label: 'Reference', className: 'figure' },
              { label: 'Ours', className: 'figure' },
              { label: 'Tolerance', className: 'figure' },
              'Check',
            ]}
          >
            {list.map((check) => (
              <Row key={check.check} check={check} />
            ))}
          </Table>
        )}
      </QueryState>
    </section>
  );
}
