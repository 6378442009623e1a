import { figureOf, type Comparison } from '../../../lib/comparison';
import { exact, MISSING, range } from '../../../lib/format';
import { causeKey } from '../../../lib/tokens';
import { explainCause } from '../explanations';
import { Explained } from './explain';
import styles from '../../../components/comparison-table.module.css';

/**
 * The causes of the cost of every design, owned first, in their fixed order, and their sum. What
 * is printed adds up to the printed sum.
 */
export function CauseRows({ comparison, shown }: { comparison: Comparison; shown: string }) {
  const { designs, currency } = comparison;
  const figure = figureOf(comparison, 'Cost by cause');
  const all = figure?.series ?? [];
  // After the names of the causes and their sides, each design has a column.
  const printed = figure?.twin.slice(2).map(({ said }) => said) ?? [];
  const hidden = (letter: string) => `${styles.cell} ${letter === shown ? '' : styles.hidden}`;
  const rows = all.map(({ role, name, low = [], high = [] }, line) => (
    <tr key={role} className={styles.sub}>
      <th scope="row">
        <span className={styles.rowHead}>
          <span
            className={styles.tint}
            style={{ background: `var(--cause-${role.replace('/', '-')})` }}
          />
          {name} <span className={styles.unit}>{role.split('/')[0]}</span>
        </span>
      </th>
      {designs.map((design, at) => {
        const cause = design.causes.find(
          (entry) => `${entry.side}/${causeKey(entry.cause)}` === role,
        );
        const [from, to] = [low[at] ?? null, high[at] ?? null];
        return (
          <td
            key={design.letter}
            className={hidden(design.letter)}
            title={cause ? exact(cause.ranked_usd, 'USD', currency) : undefined}
          >
            {cause ? (
              <>
                <Explained of={() => explainCause(design, cause, comparison)}>
                  {printed[at]?.[line]}
                </Explained>
                {from !== null && to !== null && (
                  <span className={`${styles.under} small`}>
                    {range(from, to, 'USD', currency)} (P10–P90)
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
            <strong>{printed[at]?.at(-1)}</strong>
          </td>
        ))}
      </tr>
    </>
  );
}
