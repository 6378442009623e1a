import type { Comparison, DesignResult, Spare } from '../../../lib/comparison';
import { MISSING, percent } from '../../../lib/format';
import { explainSpare } from '../explanations';
import { Explained, Why } from './explain';
import styles from '../../../components/comparison-table.module.css';

const RESOURCES: { key: Exclude<keyof Spare, 'tightest'>; word: string }[] = [
  { key: 'cores_fraction', word: 'cores' },
  { key: 'ram_fraction', word: 'RAM' },
  { key: 'disk_fraction', word: 'disk' },
  { key: 'iops_fraction', word: 'IOPS' },
  { key: 'throughput_fraction', word: 'throughput' },
  { key: 'gpu_fraction', word: 'GPUs' },
];

function sparesOf(design: DesignResult): string[] {
  return RESOURCES.flatMap(({ key, word }) => {
    const spare = design.spare[key];
    return spare == null ? [] : [`${word}\u00a0${percent(spare)}`];
  });
}

/** Why nothing is known of what a design has left, each reason once. */
function reasonOf({ letter, binding }: DesignResult, { rows }: Comparison): string {
  const spare = rows.filter(({ id }) => id.startsWith('spare_'));
  const reasons = new Set(spare.flatMap(({ reasons: why }) => why[letter] ?? []));
  return [...reasons].join(' ') || binding.detail;
}

interface SpareRowProps {
  comparison: Comparison;
  shown: string;
}

/** What is left of each resource at peak, in one line per design. */
export function SpareRow({ comparison, shown }: SpareRowProps) {
  const { designs } = comparison;
  return (
    <tr>
      <th scope="row">Spare at peak</th>
      {designs.map((design) => {
        const spares = sparesOf(design);
        const text = spares.length > 0 ? spares.join(', ') : MISSING;
        const why = text === MISSING ? reasonOf(design, comparison) : undefined;
        return (
          <td
            key={design.letter}
            className={`${styles.cell} ${design.letter === shown ? '' : styles.hidden}`}
            title={why ?? design.binding.detail}
          >
            <Explained className={styles.wrapping} of={() => explainSpare(design, text, why)}>
              {text}
              <Why reason={why} />
            </Explained>
          </td>
        );
      })}
    </tr>
  );
}
