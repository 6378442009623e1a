import type { Comparison } from '../../../lib/comparison';
import { exact, MISSING, range } from '../../../lib/format';
import { moneyParts } from '../../../lib/parts';
import { causeKey } from '../../../lib/tokens';
import { explainCause } from '../explanations';
import { causeSeries } from '../figures/causes';
import { Explained } from './explain';
import styles from '../../../components/comparison-table.module.css';

/**
 * The causes of the cost of every design, owned first, in their fixed order, and their sum. What
 * is printed adds up to the printed sum.
 */
export function CauseRows({ comparison, shown }: { comparison: Comparison; shown: string }) {
  const { designs, currency } = comparison;
  const all = causeSeries(comparison);
  const printed = designs.map((design, at) =>
    moneyParts(
      all.map((series) => series.amounts[at] ?? 0),
      design.ranked_usd,
      currency,
    ),
  );
  const hidden = (letter: string) => `${styles.cell} ${letter === shown ? '' : styles.hidden}`;
  const rows = all.map((series, line) => (
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
      {designs.map((design, at) => {
        const cause = design.causes.find(
          (entry) => entry.side === series.side && entry.cause === series.cause,
        );
        const ends = series.ranges[at];
        return (
          <td
            key={design.letter}
            className={hidden(design.letter)}
            title={cause ? exact(cause.ranked_usd, 'USD', currency) : undefined}
          >
            {cause ? (
              <>
                <Explained of={() => explainCause(design, cause, comparison)}>
                  {printed[at]?.parts[line]}
                </Explained>
                {ends && (
                  <span className={`${styles.under} small`}>
                    {range(...ends, 'USD', currency)} (P10–P90)
                  </span>
                )}
              </>
            ) : (
              <span className="muted">{MISSING}</span>
            )}
          </td>
        );
      })}
    </tr>
  ));
  return (
    <>
      {rows}
      <tr className={styles.sub}>
        <th scope="row">Sum</th>
        {designs.map((design, at) => (
          <td
            key={design.letter}
            className={hidden(design.letter)}
            title={exact(design.ranked_usd, 'USD', currency)}
          >
            <strong>{printed[at]?.total}</strong>
          </td>
        ))}
      </tr>
    </>
  );
}
