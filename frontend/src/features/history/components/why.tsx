import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { ChartPanel } from '../../../components/chart-panel';
import { Panel } from '../../../components/panel';
import { Failed, Loading } from '../../../components/query-state';
import type { Currency } from '../../../lib/format';
import { useMedia } from '../../../lib/media';
import { useTheme } from '../../../lib/theme';
import type { RunCauses } from '../../../lib/types';
import { causesQueryOptions } from '../api/history';
import { moves, movesName } from '../figures/moves';
import type { Points } from '../figures/rows';
import { standing, type Standing } from '../figures/standing';
import styles from './history.module.css';

interface WhyProps extends Points {
  currency: Currency;
}

/** From the cost of one run to that of another, one step per cause. */
export function Why({ before, after, currency }: WhyProps) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 720px)');
  const causes = useQuery(causesQueryOptions(before.id, after.id));
  const build = useCallback(
    () => (causes.data ? moves(causes.data, before, after, { theme, narrow, currency }) : null),
    [causes.data, before, after, theme, narrow, currency],
  );
  if (causes.isError) {
    return <Failed error={causes.error} onRetry={() => void causes.refetch()} minHeight={240} />;
  }
  if (!causes.data) return <Loading minHeight={240} />;
  return (
    <ChartPanel name={movesName(causes.data)} build={build} height={260} currency={currency} />
  );
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
  const text = (value: unknown) => standing(value as Standing, change.unit, currency);
  return (
    <tr>
      <th scope="row">{change.label}</th>
      <td>{text(change.before)}</td>
      <td>{text(change.after)}</td>
      <td className="muted">{change.cause_label}</td>
    </tr>
  );
}
