import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Panel } from '../../../components/panel';
import { Failed, Loading } from '../../../components/query-state';
import type { ToldFigure } from '../../../components/told/told';
import { ToldChart } from '../../../components/told/told-figures';
import { dateTime, type Currency } from '../../../lib/format';
import { valueText } from '../../../lib/labels';
import type { RunCauses } from '../../../lib/types';
import { causesQueryOptions } from '../api/history';
import type { Points } from '../rows';
import styles from './history.module.css';

interface WhyProps extends Points {
  currency: Currency;
}

/** From the cost of one run to that of another, one step per cause. */
export function Why({ before, after, currency }: WhyProps) {
  const causes = useQuery(causesQueryOptions(before.id, after.id));
  const figure = useMemo(() => {
    const told = causes.data?.figure as unknown as ToldFigure | undefined;
    const [start, end] = [dateTime(before.submitted_at), dateTime(after.submitted_at)];
    return told && { ...told, rows: [start, ...told.rows.slice(1, -1), end] };
  }, [causes.data, before, after]);
  if (causes.isError) {
    return <Failed error={causes.error} onRetry={() => void causes.refetch()} minHeight={240} />;
  }
  if (!figure) return <Loading minHeight={240} />;
  return <ToldChart name={figure.name} figure={figure} height={260} currency={currency} />;
}

interface ChangesProps extends WhyProps {
  heads: [before: string, after: string];
}

/** The inputs that differ between two runs, and what each belongs to in the chart of causes. */
export function Changes({ before, after, currency, heads }: ChangesProps) {
  const found = useQuery(causesQueryOptions(before.id, after.id)).data;
  if (!found) return null;
  const left = found.changes_count - found.changes.length;
  return (
    <Panel id="changes" title="What changed">
      {found.changes_count === 0 ? (
        <p className="muted">The inputs are the same.</p>
      ) : (
        <div className={styles.table} tabIndex={0} role="region" aria-label="Inputs that changed">
          <table>
            <thead>
              <tr>
                <th scope="col">Input</th>
                <th scope="col">{heads[0]}</th>
                <th scope="col">{heads[1]}</th>
                <th scope="col">Counts as</th>
              </tr>
            </thead>
            <tbody>
              {found.changes.map((change) => (
                <ChangeRow
                  key={`${change.cause}${change.pointer}${change.label}`}
                  change={change}
                  currency={currency}
                />
              ))}
            </tbody>
          </table>
          {left > 0 && <p className="muted small">And {left} more.</p>}
        </div>
      )}
      {before.model_version !== after.model_version && (
        <p className="muted">
          The model is another version: {before.model_version}, then {after.model_version}.
        </p>
      )}
    </Panel>
  );
}

interface RowProps {
  change: RunCauses['changes'][number];
  currency: Currency;
}

function ChangeRow({ change, currency }: RowProps) {
  return (
    <tr>
      <th scope="row">{change.label}</th>
      <td>{valueText(change.before, change.unit, currency)}</td>
      <td>{valueText(change.after, change.unit, currency)}</td>
      <td className="muted">{change.cause_label}</td>
    </tr>
  );
}
