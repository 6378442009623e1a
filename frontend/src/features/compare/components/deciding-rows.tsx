import type { Comparison, DesignResult } from '../../../lib/comparison';
import { MISSING, percent } from '../../../lib/format';
import { explainOdds } from '../explanations';
import { Explained, Why } from './explain';
import styles from '../../../components/comparison-table.module.css';

interface RowProps {
  comparison: Comparison;
  shown: string;
}

const hiddenUnless = (isShown: boolean) => (isShown ? '' : styles.hidden);

/** In which share of the simulations each design is cheapest. */
export function OddsRow({ comparison, shown }: RowProps) {
  const { designs, odds, winner } = comparison;
  return (
    <tr>
      <th scope="row">Cheapest in, of simulations</th>
      {designs.map(({ letter, competes }) => {
        const share = odds?.wins[letter];
        return (
          <td
            key={letter}
            className={`${styles.cell} ${letter === winner ? styles.best : ''} ${hiddenUnless(letter === shown)}`}
          >
            {share === undefined ? (
              <>
                {MISSING}
                <Why reason={competes ? undefined : 'It does not meet demand.'} />
              </>
            ) : (
              <Explained of={() => explainOdds(letter, comparison)}>{percent(share)}</Explained>
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** Whether demand is met: as entered, or in which share of the simulations. */
function metOf({ carries_load: met, met_fraction: share }: DesignResult): string {
  if (!met) return 'no';
  return share == null || share >= 1 ? 'yes' : `in ${percent(share)} of simulations`;
}

/** The resource nearest to its own limit. */
function nearestOf({ binding }: DesignResult): string {
  const { label, group, used_fraction: used, limit_fraction: limit } = binding;
  if (label === 'given') return '';
  const of = group ? `${label} of ${group}` : label;
  return used == null || limit == null ? of : `${of} ${percent(used)} of ${percent(limit)}`;
}

/** Whether each design meets demand, and what is nearest to its limit there. */
export function DemandRow({ comparison, shown }: RowProps) {
  return (
    <tr>
      <th scope="row">Meets demand</th>
      {comparison.designs.map((design) => (
        <td
          key={design.letter}
          className={`${styles.cell} ${hiddenUnless(design.letter === shown)}`}
          title={design.shortfall?.sentence ?? design.binding.detail}
        >
          {metOf(design)}
          <span className={`${styles.under} small`}>{nearestOf(design)}</span>
        </td>
      ))}
    </tr>
  );
}
