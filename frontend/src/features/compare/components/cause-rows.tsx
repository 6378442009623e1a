import { figureOf, type Comparison } from '../../../lib/comparison';
import { exact, MISSING, range } from '../../../lib/format';
import { causeKey } from '../../../lib/tokens';
import { explainCause } from '../explanations';
import { Explained } from './explain';
import styles from '../../../components/comparison-table.module.css';

/**
 * The causes of the cost of every design, owned first, in their fixed order, beneath them what is
 * left at the end, and the sums. What is printed adds up to the printed sum.
 */
export function CauseRows({ comparison, shown }: { comparison: Comparison; shown: string }) {
  const { designs, currency } = comparison;
  // After the names of the causes and their sides, each design has a column.
  const [names, sides, ...columns] = figureOf(comparison, 'Cost by cause')?.twin ?? [];
  const hidden = (letter: string) => `${styles.cell} ${letter === shown ? '' : styles.hidden}`;
  return names?.values.map((name, line) => {
    const side = sides?.values[line];
    const cells = designs.map((design, at) => ({
      design,
      printed: columns[at]?.said[line],
      value: columns[at]?.values[line],
      cause: design.causes.find((entry) => entry.label === name && entry.side === side),
    }));
    if (!side) {
      return (
        <tr key={String(name)} className={styles.sub}>
          <th scope="row">{name === 'Total' ? 'Sum' : name}</th>
          {cells.map(({ design, printed, value }) => (
            <td
              key={design.letter}
              className={hidden(design.letter)}
              title={exact(Number(value), 'USD', currency)}
            >
              <strong>{printed}</strong>
            </td>
          ))}
        </tr>
      );
    }
    const key = cells.find(({ cause }) => cause)?.cause?.cause ?? '';
    return (
      <tr key={`${side}/${name}`} className={styles.sub}>
        <th scope="row">
          <span className={styles.rowHead}>
            <span
              className={styles.tint}
              style={{ background: `var(--cause-${side}-${causeKey(key)})` }}
            />
            {name} <span className={styles.unit}>{side}</span>
          </span>
        </th>
        {cells.map(({ design, printed, cause }) => {
          const [from, to] = [cause?.p10_usd ?? null, cause?.p90_usd ?? null];
          return (
            <td
              key={design.letter}
              className={hidden(design.letter)}
              title={cause ? exact(cause.ranked_usd, 'USD', currency) : undefined}
            >
              {cause ? (
                <>
                  <Explained of={() => explainCause(design, cause, comparison)}>
                    {printed}
                  </Explained>
                  {from !== null && to !== null && from !== to && (
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
    );
  });
}
