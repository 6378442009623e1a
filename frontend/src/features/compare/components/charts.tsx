import { useState } from 'react';
import { Segments, Select } from '../../../components/control';
import { ToldChart } from '../../../components/told/told-figures';
import { figureOf, type Comparison, type Pair } from '../../../lib/comparison';
import { short } from '../../../lib/plotting';
import { VIEWS, type View } from '../search';
import { simulated } from '../simulated';
import { StatementTable } from './statement-table';
import { YearsTable } from './years-table';
import styles from './charts.module.css';

interface Live {
  comparison: Comparison;
  /** Whether a slider is held: axes keep still. */
  held: boolean;
  revision: number;
}

interface ChartsProps extends Live {
  view: View;
  pair: Pair;
  onPair: (pair: Pair) => void;
}

interface CumulativeProps extends Live {
  discounted: boolean;
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

/** The charts of one part of the comparison, each with its finding, its table and its downloads. */
export function Charts(props: ChartsProps) {
  const { comparison, held, revision, pair, view } = props;
  const { currency, designs, commitments } = comparison;
  const [against, setAgainst] = useState('Energy');
  const [books, setBooks] = useState('years');
  const chart = (name: string, of?: string) => ({
    ...{ held, revision, currency, name },
    figure: figureOf(comparison, name, of),
  });
  const perDesign = rowsHeight(designs.length, 220);
  const drawn = partsOf(comparison);
  if (view === 'cost') {
    const hasStatement = Object.keys(comparison.drawn?.statements ?? {}).length > 0;
    const controls = hasStatement && (
      <Segments
        label="Years"
        value={books}
        choices={[
          { value: 'years', label: 'Year by year' },
          { value: 'statement', label: 'By fiscal year' },
        ]}
        onChange={setBooks}
      />
    );
    return (
      <div className={styles.grid}>
        {designs.length > 1 && (
          <ToldChart
            {...chart('Why the difference')}
            measured
            height={360}
            empty="Choose two different designs."
            controls={<PairPicker comparison={comparison} pair={pair} onPair={props.onPair} />}
          />
        )}
        <ToldChart {...chart('Cost by cause')} measured height={Math.max(perDesign, 360)} />
        <div className="whole stack gap-8">
          <div className="start">{controls}</div>
          {books === 'years' || !hasStatement ? (
            <YearsTable comparison={comparison} initial={pair.to} />
          ) : (
            <StatementTable comparison={comparison} initial={pair.to} />
          )}
        </div>
        {commitments.length > 0 && (
          <ToldChart {...chart('Why these commitment levels')} height={320} className="whole" />
        )}
      </div>
    );
  }
  if (view === 'risk') {
    const bars = figureOf(comparison, 'What moves the answer')?.rows.length ?? 0;
    return (
      <div className={styles.grid}>
        {drawn.has('What moves the answer') && (
          <ToldChart {...chart('What moves the answer')} height={rowsHeight(bars * 0.72, 280)} />
        )}
        {drawn.has('How sure each cost is') && (
          <ToldChart
            {...chart('How sure each cost is')}
            height={Math.max(220, designs.length * 56 + 72)}
          />
        )}
      </div>
    );
  }
  if (view === 'capacity') {
    return drawn.has('Capacity used at peak') ? (
      <ToldChart {...chart('Capacity used at peak')} height={280} />
    ) : null;
  }
  if (view === 'energy') {
    return (
      <div className={styles.grid}>
        {drawn.has('Energy') && <ToldChart {...chart('Energy')} height={perDesign} />}
        {drawn.has('Carbon') && <ToldChart {...chart('Carbon')} height={perDesign} />}
      </div>
    );
  }
  if (view === 'trade') {
    const known = tradesOf(comparison);
    const chosen = known.includes(against) ? against : (known[0] ?? '');
    return (
      <ToldChart
        {...chart('Cost against the rest', chosen)}
        height={420}
        controls={
          <Segments
            label="Against"
            value={chosen}
            choices={known.map((value) => ({ value, label: value }))}
            onChange={setAgainst}
          />
        }
      />
    );
  }
  return null;
}

/** What each design has cost by each month, the one chart of the overview. */
export function Cumulative({
  comparison,
  held,
  revision,
  discounted,
  onDiscounted,
}: CumulativeProps) {
  const byValue = comparison.ranked_by === 'present_value';
  const basis = (label: string, ranked: boolean) =>
    comparison.odds ? `${label}, ${ranked ? 'mean' : 'as entered'}` : label;
  return (
    <ToldChart
      {...{ held, revision, currency: comparison.currency, name: 'Cumulative cost' }}
      figure={figureOf(comparison, 'Cumulative cost', discounted ? 'Present value' : 'Cash')}
      measured
      isTight
      height={156}
      controls={
        <Segments
          label="Cumulative cost"
          value={discounted ? 'npv' : 'cash'}
          choices={[
            { value: 'cash', label: basis('Cash', !byValue) },
            { value: 'npv', label: basis('Present value', byValue) },
          ]}
          onChange={(value) => onDiscounted(value === 'npv')}
        />
      }
    />
  );
}

/** Charts with something in them: no panel stands for another, and why there are no odds is said. */
const partsOf = ({ drawn }: Comparison) =>
  new Set(
    drawn?.figures
      .filter(({ series }) =>
        series.some(({ values }) => values.some((value) => value !== null && value !== 0)),
      )
      .map(({ name }) => name),
  );

/** What cost can be held against; two designs are read from the table. */
const tradesOf = (comparison: Comparison) =>
  comparison.designs.length < 3
    ? []
    : ['Energy', 'Carbon', 'Response time'].filter((name) =>
        figureOf(comparison, 'Cost against the rest', name)?.series.some(({ role }) => role),
      );

/** The parts of a comparison that have something to show. */
export function viewsOf(comparison: Comparison): View[] {
  const drawn = partsOf(comparison);
  const shown: Record<View, boolean> = {
    cost: true,
    risk: comparison.odds !== null || drawn.has('What moves the answer'),
    capacity: drawn.has('Capacity used at peak') || simulated(comparison).length > 0,
    energy: drawn.has('Energy') || drawn.has('Carbon'),
    trade: tradesOf(comparison).length > 0,
    check: true,
  };
  return (Object.keys(VIEWS) as View[]).filter((view) => shown[view]);
}
