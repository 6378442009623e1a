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

const AGAINST = ['Energy', 'Carbon', 'Response time'].map((value) => ({ value, label: value }));

/** Cost against energy, carbon and response time, and how far each cost may be off. */
export function TradeOffs({ comparison, held, revision }: TradeOffsProps) {
  const [against, setAgainst] = useState('Energy');
  const shared = { held, revision, currency: comparison.currency };
  return (
    <section className={styles.grid} aria-label="Trade-offs">
      <ToldChart
        {...shared}
        name="Cost against the rest"
        figure={figureOf(comparison, 'Cost against the rest', against)}
        height={360}
        empty="No design has this figure."
        controls={
          <Segments label="Against" value={against} choices={AGAINST} onChange={setAgainst} />
        }
      />
      <ToldChart
        {...shared}
        name="How sure each cost is"
        figure={figureOf(comparison, 'How sure each cost is')}
        height={Math.max(220, comparison.designs.length * 56 + 72)}
        empty={comparison.verdict.odds_reason ?? undefined}
      />
    </section>
  );
}
