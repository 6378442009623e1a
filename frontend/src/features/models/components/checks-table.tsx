import { useQuery } from '@tanstack/react-query';
import { Icon } from '../../../components/icon';
import { QueryState } from '../../../components/query-state';
import { Table } from '../../../components/table';
import { exact } from '../../../lib/format';
import { checksQueryOptions, type PublishedCheck } from '../../../lib/models';
import styles from './models.module.css';

type Value = PublishedCheck['published'] | null;

/** What the kinds of checks are worth, said once above the table. */
export const KINDS =
  'Predicted: the figure took no part in making ours. Fitted: an input was solved from it. ' +
  'Arithmetic: numbers of the source, recombined.';

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
      <td>
        {check.kind}
        {check.fitted_to && <div className="muted small">{check.fitted_to}</div>}
      </td>
      <td className="figure">
        {check.printed ?? figure(check.published, unit)}
        {check.basis === 'derived' && <div className="muted small">worked out</div>}
      </td>
      <td
        className={`figure ${check.is_apart ? 'fault' : ''}`}
        title={typeof check.ours === 'number' ? exact(check.ours, unit) : undefined}
      >
        {figure(check.ours, unit)}
      </td>
      <td className="figure muted">
        {check.tolerance > 0
          ? `±\u00a0${figure(Number(check.tolerance.toPrecision(3)), unit)}`
          : 'exact'}
        {check.wider && <div className="small">{check.wider}</div>}
      </td>
      <td>
        {check.outcome === 'apart' || (check.outcome === 'holds' && check.measured) ? (
          <span className="muted">{check.said}</span>
        ) : (
          <span className={`${styles.mark} ${check.outcome === 'holds' ? 'good' : 'fault'}`}>
            <Icon name={check.outcome === 'holds' ? 'check' : 'warning'} size={14} />
            {check.said}
          </span>
        )}
      </td>
    </tr>
  );
}

/** Checks as a table: the figure of a source, ours, what is allowed between. */
export function ChecksRows({ checks }: { checks: readonly PublishedCheck[] }) {
  return (
    <Table
      label="Published checks"
      className={`${styles.checks} box table boxed`}
      heads={[
        'Figure',
        'Kind',
        { label: 'Printed', className: 'figure' },
        { label: 'Ours', className: 'figure' },
        { label: 'Tolerance', className: 'figure' },
        'Check',
      ]}
    >
      {checks.map((check) => (
        <Row key={`${check.model} ${check.check}`} check={check} />
      ))}
    </Table>
  );
}

/** The figures that papers print, and ours beside them, computed now. */
export function ChecksTable({ model }: { model: string }) {
  const checks = useQuery(checksQueryOptions(model));
  return (
    <section aria-labelledby="checks-title">
      <h2 id="checks-title">Published checks, run just now</h2>
      <p className="muted small">{KINDS}</p>
      <QueryState
        query={checks}
        minHeight={160}
        empty="No printed figure is checked with this model."
      >
        {(list) => <ChecksRows checks={list} />}
      </QueryState>
    </section>
  );
}
