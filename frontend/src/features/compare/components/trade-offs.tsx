import { useMemo, useState } from 'react';
import { ChartPanel } from '../../../components/chart-panel';
import { Segments } from '../../../components/control';
import type { Comparison } from '../../../lib/comparison';
import { useMedia } from '../../../lib/media';
import { useTheme } from '../../../lib/theme';
import { AGAINST, pareto, paretoPoints, spreadOfCost, type Against } from '../figures/trade-offs';
import styles from './charts.module.css';

interface TradeOffsProps {
  comparison: Comparison;
  held: boolean;
  revision: number;
}

/** Cost against energy, carbon and response time, and how far each cost may be off. */
export function TradeOffs({ comparison, held, revision }: TradeOffsProps) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const [against, setAgainst] = useState<Against>('energy');
  const { currency } = comparison;
  const builds = useMemo(() => {
    const options = { theme, currency, narrow };
    return {
      pareto: () => pareto(comparison, against, options),
      spread: () => spreadOfCost(comparison, options),
    };
  }, [comparison, theme, currency, narrow, against]);
  const { unknown } = paretoPoints(comparison, against);
  const shared = { held, revision, currency };
  return (
    <section className={styles.grid} aria-label="Trade-offs">
      <ChartPanel
        name="Cost against the rest"
        build={builds.pareto}
        height={360}
        empty="No design has this figure."
        controls={
          <>
            <Segments
              label="Against"
              value={against}
              choices={AGAINST}
              onChange={(value) => setAgainst(value as Against)}
            />
            {unknown.map(({ design, reason }) => (
              <p key={design.letter} className="muted small">
                {design.letter} — {reason || 'not known'}
              </p>
            ))}
          </>
        }
        {...shared}
      />
      <ChartPanel
        name="How sure each cost is"
        build={builds.spread}
        height={Math.max(220, comparison.designs.length * 56 + 72)}
        empty="No input has a range, so nothing was simulated."
        {...shared}
      />
    </section>
  );
}
