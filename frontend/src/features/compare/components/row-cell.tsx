import { memo } from 'react';
import type { Comparison, DesignResult, DifferenceRow } from '../../../lib/comparison';
import { exact, MISSING, quantity, range, type Currency } from '../../../lib/format';
import { explainRow } from '../explanations';
import { Explained, Why } from './explain';
import styles from '../../../components/comparison-table.module.css';

interface RowCellProps {
  row: DifferenceRow;
  design: DesignResult;
  comparison: Comparison;
  before: number | null | undefined;
  hidden: boolean;
  /** What a value is of stands in its title alone. */
  plain?: boolean;
}

function sign(text: string, value: number): string {
  return value > 0 ? `+${text}` : text;
}

interface Estimate {
  low: number | null;
  high: number | null;
  unit: string;
}

/** The range of a figure that is an estimate; nothing for one that is modelled. */
function estimateOf(row: DifferenceRow, design: DesignResult): Estimate | null {
  const { energy, carbon } = design;
  if (row.id.startsWith('energy') && energy.basis === 'estimate') {
    return { low: energy.low_kwh, high: energy.high_kwh, unit: 'kWh' };
  }
  if (row.id.startsWith('carbon') && carbon.basis === 'estimate') {
    return { low: carbon.low_kgco2e, high: carbon.high_kgco2e, unit: 'kg CO2e' };
  }
  return null;
}

function spanText({ low, high, unit }: Estimate): string {
  return low === null || high === null ? MISSING : range(low, high, unit);
}

function difference(row: DifferenceRow, value: number | null, currency: Currency): string {
  const best = row.best === null ? null : (row.values[row.best] ?? null);
  if (value === null || best === null || value === best) return '';
  const change = value - best;
  if (row.unit === 'fraction') return sign(`${quantity(change * 100, 'points')}`, change);
  return sign(quantity(change, row.unit, currency), change);
}

/** What a value is of, where its row does not say: the part of an array that wears out first. */
function Note({ words }: { words: string | undefined }) {
  return words === undefined ? null : <span className={`${styles.under} small`}>{words}</span>;
}

export const RowCell = memo(function RowCell(props: RowCellProps) {
  const { row, design, comparison, before, hidden, plain = false } = props;
  const { currency } = comparison;
  const value = row.values[design.letter] ?? null;
  const isBest = row.best === design.letter && value !== null;
  const estimate = estimateOf(row, design);
  const text =
    value === null && estimate
      ? spanText(estimate)
      : `${estimate ? '≈ ' : ''}${quantity(value, row.unit, currency)}`;
  const below = estimate
    ? value === null
      ? 'estimate'
      : spanText(estimate)
    : difference(row, value, currency);
  const changed = before !== undefined && before !== null && before !== value;
  return (
    <td
      className={`${styles.cell} ${isBest ? styles.best : ''} ${hidden ? styles.hidden : ''}`}
      title={
        value === null
          ? row.reasons[design.letter]
          : [
              exact(value, row.unit, currency),
              estimate && 'an estimate',
              plain && row.notes?.[design.letter],
            ]
              .filter(Boolean)
              .join('; ')
      }
    >
      <span className={styles.figure}>
        {isBest && (
          <span className={styles.dot} title="Best of the row">
            <span className="visually-hidden">best </span>
          </span>
        )}
        <Explained of={() => explainRow(row, design, comparison)}>
          {text}
          {text === MISSING && <Why reason={row.reasons[design.letter]} />}
        </Explained>
      </span>
      {!plain && <Note words={row.notes?.[design.letter]} />}
      <span className={`${styles.under} small`}>
        {below}
        {changed && <span className={styles.was}> was {quantity(before, row.unit, currency)}</span>}
      </span>
    </td>
  );
});
