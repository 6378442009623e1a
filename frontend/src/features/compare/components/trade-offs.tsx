import { useState } from 'react';
import { Segments } from '../../../components/control';
import { ToldChart } from '../../../components/told/told-figures';
import { figureOf, type Comparison } from '../../../lib/comparison';
import styles from './charts.module.css';

interface TradeOffsProps {
  comparison: Comparison;
  held: boolean;
  revision: number;
}

const AGAINST = ['Energy', 'Carbon', 'Response time'];

/** Cost against energy, carbon and response time, and how far each cost may be off. */
export function TradeOffs({ comparison, held, revision }: TradeOffsProps) {
  const [chosen, setChosen] = useState('Energy');
  const shared = { held, revision, currency: comparison.currency };
  // What no design has a value of is no choice, and no panel stands for it.
  const known = AGAINST.filter((name) =>
    figureOf(comparison, 'Cost against the rest', name)?.series.some(({ role }) => role),
  );
  const against = known.includes(chosen) ? chosen : (known[0] ?? '');
  const spread = figureOf(comparison, 'How sure each cost is');
  if (known.length === 0 && !spread) return null;
  return (
    <section className={styles.grid} aria-label="Trade-offs">
      {known.length > 0 && (
        <ToldChart
          {...shared}
          name="Cost against the rest"
          figure={figureOf(comparison, 'Cost against the rest', against)}
          height={360}
          controls={
            <Segments
              label="Against"
              value={against}
              choices={known.map((value) => ({ value, label: value }))}
              onChange={setChosen}
            />
          }
        />
      )}
      {spread && (
        <ToldChart
          {...shared}
          name="How sure each cost is"
          figure={spread}
          height={Math.max(220, comparison.designs.length * 56 + 72)}
        />
      )}
    </section>
  );
}
