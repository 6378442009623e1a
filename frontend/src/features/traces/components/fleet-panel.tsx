import { useCallback, useState } from 'react';
import { ChartPanel } from '../../../components/chart-panel';
import { Select } from '../../../components/control';
import { useMedia } from '../../../lib/media';
import { useTheme } from '../../../lib/theme';
import type { Charts, FleetRates, SurvivalCurve } from '../charts';
import { ratesFigure, survivalFigure } from '../figures/fleet';
import { shapeSentence } from '../words';
import own from './cache-panel.module.css';
import styles from './traces.module.css';

function useOptions() {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  return { theme, narrow };
}

function Rates({ rates }: { rates: FleetRates }) {
  const { theme, narrow } = useOptions();
  const build = useCallback(() => ratesFigure(rates, { theme, narrow }), [rates, theme, narrow]);
  const height = 72 + 26 * Math.min(15, rates.cohorts.length);
  return <ChartPanel name="Failure rates by model" build={build} height={Math.max(200, height)} />;
}

function Survival({ curves }: { curves: readonly SurvivalCurve[] }) {
  const { theme, narrow } = useOptions();
  const [name, setName] = useState(curves[0]?.name ?? '');
  const curve = curves.find((one) => one.name === name) ?? curves[0];
  const build = useCallback(
    () => (curve ? survivalFigure(curve, { theme, narrow }) : null),
    [curve, theme, narrow],
  );
  return (
    <>
      {curves.length > 1 && (
        <div className={own.choices}>
          <Select
            aria-label="Drives of the curve"
            value={curve?.name}
            choices={curves.map((one) => ({ value: one.name, label: one.name }))}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
      )}
      {curve && <p>{shapeSentence(curve)}</p>}
      <ChartPanel name="Drives that still run, by age" build={build} height={320} />
    </>
  );
}

/** A fleet's failure rates by model, and how its drives survive where the record says it. */
export function FleetPanel({ charts }: { charts: Charts }) {
  const { fleet, lifetimes } = charts;
  return (
    <>
      {fleet && <Rates rates={fleet} />}
      {lifetimes && (
        <section className={`${styles.panel} ${own.panel}`} aria-labelledby="lifetimes-title">
          <h2 id="lifetimes-title">How long the drives last</h2>
          {lifetimes.curves.length > 0 ? (
            <Survival curves={lifetimes.curves} />
          ) : (
            <p className="muted">{lifetimes.reason}</p>
          )}
        </section>
      )}
    </>
  );
}
