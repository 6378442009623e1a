import { useCallback, useMemo } from 'react';
import { ChartPanel } from '../../../components/chart-panel';
import { Segments, Select } from '../../../components/control';
import type { Comparison } from '../../../lib/comparison';
import { useMedia } from '../../../lib/media';
import { useTheme } from '../../../lib/theme';
import { binding } from '../figures/binding';
import { causes } from '../figures/causes';
import { commitments } from '../figures/commitments';
import { cumulative } from '../figures/cumulative';
import { carbon, energy } from '../figures/energy';
import { odds } from '../figures/odds';
import { tornado } from '../figures/tornado';
import { waterfall } from '../figures/waterfall';
import { short } from '../figures/options';
import { YearsTable } from './years-table';
import styles from './charts.module.css';

export interface Pair {
  from: string;
  to: string;
}

interface ChartsProps {
  comparison: Comparison;
  /** Whether a slider is held: axes keep still. */
  held: boolean;
  revision: number;
  pair: Pair;
  discounted: boolean;
  onPair: (pair: Pair) => void;
  onDiscounted: (discounted: boolean) => void;
}

function PairPicker({
  comparison,
  pair,
  onPair,
}: Pick<ChartsProps, 'comparison' | 'pair' | 'onPair'>) {
  const choices = comparison.designs.map((design) => ({
    value: design.letter,
    label: `${design.letter}  ${short(design.title, 28)}${design.carries_load ? '' : ' (does not meet demand)'}`,
  }));
  return (
    <div className={`${styles.pair} row gap-8`}>
      <Select
        aria-label="From design"
        choices={choices}
        value={pair.from}
        onChange={(event) => onPair({ ...pair, from: event.target.value })}
      />
      <span className="muted">to</span>
      <Select
        aria-label="To design"
        choices={choices}
        value={pair.to}
        onChange={(event) => onPair({ ...pair, to: event.target.value })}
      />
    </div>
  );
}

function rowsHeight(count: number, least: number): number {
  return Math.max(least, count * 44 + 72);
}

/** The evidence: every chart with its finding, its table and its downloads. */
export function Charts(props: ChartsProps) {
  const { comparison, held, revision, pair, discounted } = props;
  const { currency, designs } = comparison;
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const builds = useMemo(() => {
    const options = { theme, currency, narrow };
    const ofPair = { ...options, ...pair };
    return {
      cumulative: () => cumulative(comparison, { ...ofPair, discounted }),
      waterfall: () => waterfall(comparison, ofPair),
      causes: () => causes(comparison, options),
      energy: () => energy(comparison, options),
      carbon: () => carbon(comparison, options),
      binding: () => binding(comparison, options),
      tornado: () => tornado(comparison, options),
    };
  }, [comparison, theme, currency, narrow, pair, discounted]);
  const chances = useCallback(
    () => odds(comparison, { theme, currency, narrow }),
    [comparison, theme, currency, narrow],
  );
  const levels = useCallback(
    () => commitments(comparison, { theme, currency, narrow }),
    [comparison, theme, currency, narrow],
  );
  const shared = { held, revision, currency };
  const byValue = comparison.ranked_by === 'present_value';
  const basisLabel = (label: string, ranked: boolean) =>
    comparison.odds ? `${label}, ${ranked ? 'mean' : 'as entered'}` : label;
  const perDesign = rowsHeight(designs.length, 220);
  return (
    <div className={styles.grid}>
      <ChartPanel
        {...shared}
        name="Cumulative cost"
        build={builds.cumulative}
        height={360}
        controls={
          <Segments
            label="Cumulative cost"
            value={discounted ? 'npv' : 'cash'}
            choices={[
              { value: 'cash', label: basisLabel('Cash', !byValue) },
              { value: 'npv', label: basisLabel('Present value', byValue) },
            ]}
            onChange={(value) => props.onDiscounted(value === 'npv')}
          />
        }
      />
      <ChartPanel
        {...shared}
        name="Why the difference"
        measure={comparison.measure}
        build={builds.waterfall}
        height={360}
        empty={designs.length > 1 ? 'Choose two different designs.' : 'There is one design.'}
        controls={<PairPicker comparison={comparison} pair={pair} onPair={props.onPair} />}
      />
      <ChartPanel
        {...shared}
        name="Cost by cause"
        measure={comparison.measure}
        build={builds.causes}
        height={perDesign}
        className="whole"
      />
      <ChartPanel {...shared} name="Energy" build={builds.energy} height={perDesign} />
      <ChartPanel {...shared} name="Carbon" build={builds.carbon} height={perDesign} />
      <ChartPanel {...shared} name="Capacity used at peak" build={builds.binding} height={280} />
      <ChartPanel
        {...shared}
        name="Odds"
        build={chances}
        height={280}
        empty={comparison.verdict.odds_reason ?? undefined}
      />
      <ChartPanel
        {...shared}
        name="What moves the answer"
        build={builds.tornado}
        height={rowsHeight(Math.min(10, comparison.tornado.length) * 0.72, 280)}
        empty={comparison.verdict.odds_reason ?? undefined}
      />
      <YearsTable comparison={comparison} initial={pair.to} />
      {comparison.commitments.length > 0 && (
        <ChartPanel
          {...shared}
          name="Why these commitment levels"
          build={levels}
          height={320}
          className="whole"
        />
      )}
    </div>
  );
}
