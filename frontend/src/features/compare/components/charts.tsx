import { Segments, Select } from '../../../components/control';
import { ToldChart } from '../../../components/told/told-figures';
import { figureOf, type Comparison, type Pair } from '../../../lib/comparison';
import { short } from '../../../lib/plotting';
import { StatementTable } from './statement-table';
import { YearsTable } from './years-table';
import styles from './charts.module.css';

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
  const chart = (name: string, of?: string) => ({
    ...{ held, revision, currency, name },
    figure: figureOf(comparison, name, of),
  });
  const byValue = comparison.ranked_by === 'present_value';
  const basisLabel = (label: string, ranked: boolean) =>
    comparison.odds ? `${label}, ${ranked ? 'mean' : 'as entered'}` : label;
  const perDesign = rowsHeight(designs.length, 220);
  // No panel stands for a chart with nothing in it; why there are no odds is said beside the verdict.
  const has = (name: string) =>
    figureOf(comparison, name)?.series.some(({ values }) =>
      values.some((value) => value !== null && value !== 0),
    ) ?? false;
  return (
    <div className={styles.grid}>
      <ToldChart
        {...chart('Cumulative cost', discounted ? 'Present value' : 'Cash')}
        measured
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
      {designs.length > 1 && (
        <ToldChart
          {...chart('Why the difference')}
          measured
          height={360}
          empty="Choose two different designs."
          controls={<PairPicker comparison={comparison} pair={pair} onPair={props.onPair} />}
        />
      )}
      <ToldChart {...chart('Cost by cause')} measured height={perDesign} className="whole" />
      {has('Energy') && <ToldChart {...chart('Energy')} height={perDesign} />}
      {has('Carbon') && <ToldChart {...chart('Carbon')} height={perDesign} />}
      {has('Capacity used at peak') && (
        <ToldChart {...chart('Capacity used at peak')} height={280} />
      )}
      {has('Odds') && <ToldChart {...chart('Odds')} height={280} />}
      {has('What moves the answer') && (
        <ToldChart
          {...chart('What moves the answer')}
          height={rowsHeight(
            (figureOf(comparison, 'What moves the answer')?.rows.length ?? 0) * 0.72,
            280,
          )}
        />
      )}
      <YearsTable comparison={comparison} initial={pair.to} />
      <StatementTable comparison={comparison} initial={pair.to} />
      {comparison.commitments.length > 0 && (
        <ToldChart {...chart('Why these commitment levels')} height={320} className="whole" />
      )}
    </div>
  );
}
