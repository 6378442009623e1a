import type { Comparison } from '../../../lib/comparison';
import { exact, MISSING, money } from '../../../lib/format';
import { causeKey } from '../../../lib/tokens';
import { explainCause } from '../explanations';
import { causeSeries } from '../figures/causes';
import { Explained } from './explain';
import styles from '../../../components/comparison-table.module.css';

/** The causes of the cost of every design, owned first, in their fixed order. */
export function CauseRows({ comparison, shown }: { comparison: Comparison; shown: string }) {
  const { designs, currency } = comparison;
  return causeSeries(comparison).map((series) => (
    <tr key={`${series.side} ${series.cause}`} className={styles.sub}>
      <th scope="row">
        <span className={styles.rowHead}>
          <span
            className={styles.tint}
            style={{ background: `var(--cause-${series.side}-${causeKey(series.cause)})` }}
          />
          {series.label} <span className={styles.unit}>{series.side}</span>
        </span>
      </th>
      {designs.map((design) => {
        const cause = design.causes.find(
          (entry) => entry.side === series.side && entry.cause === series.cause,
        );
        return (
          <td
            key={design.letter}
            className={`${styles.cell} ${design.letter === shown ? '' : styles.hidden}`}
            title={cause ? exact(cause.amount_usd, 'USD') : undefined}
          >
            {cause ? (
              <Explained of={() => explainCause(design, cause, currency)}>
                {money(cause.amount_usd, currency)}
              </Explained>
            ) : (
              <span className="muted">{MISSING}</span>
            )}
          </td>
        );
      })}
    </tr>
  ));
}
