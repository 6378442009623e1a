import { memo } from 'react';
import type { DesignResult, DifferenceRow } from '../../../lib/comparison';
import { exact, MISSING, quantity, range, type Currency } from '../../../lib/format';
import { explainRow } from '../explanations';
import { Explained } from './explain';
import styles from './difference-table.module.css';

interface RowCellProps {
  row: DifferenceRow;
  design: DesignResult;
  currency: Currency;
  before: number | null | undefined;
  hidden: boolean;
}

function sign(text: string, value: number): string {
  return value > 0 ? `+${text}` : text;
}

/** An estimate is a range; what is not known is an em dash, its reason on hover. */
function unknownText(row: DifferenceRow, design: DesignResult): string {
  if (row.id.startsWith('energy')) {
    const { low_kwh: low, high_kwh: high } = design.energy;
    if (low !== null && high !== null) return range(low, high, 'kWh');
  }
  if (row.id.startsWith('carbon')) {
    const { low_kgco2e: low, high_kgco2e: high } = design.carbon;
    if (low !== null && high !== null) return range(low, high, 'kg CO2e');
  }
  return MISSING;
}

function difference(row: DifferenceRow, value: number | null, currency: Currency): string {
  const best = row.best === null ? null : (row.values[row.best] ?? null);
  if (value === null || best === null || value === best) return '';
  const change = value - best;
  if (row.unit === 'fraction') return sign(`${quantity(change * 100, 'points')}`, change);
  return sign(quantity(change, row.unit, currency), change);
}

export const RowCell = memo(function RowCell(props: RowCellProps) {
  const { row, design, currency, before, hidden } = props;
  const value = row.values[design.letter] ?? null;
  const isBest = row.best === design.letter && value !== null;
  const text = value === null ? unknownText(row, design) : quantity(value, row.unit, currency);
  const isEstimate = value === null && text !== MISSING;
  const changed = before !== undefined && before !== null && before !== value;
  return (
    <td
      className={`${styles.cell} ${isBest ? styles.best : ''} ${hidden ? styles.hidden : ''}`}
      title={value === null ? row.reasons[design.letter] : exact(value, row.unit)}
    >
      <span className={styles.figure}>
        {isBest && (
          <span className={styles.dot} title="Best of the row">
            <span className="visually-hidden">best </span>
          </span>
        )}
        <Explained of={() => explainRow(row, design, currency)}>{text}</Explained>
      </span>
      <span className={`${styles.under} small`}>
        {isEstimate ? 'estimate' : difference(row, value, currency)}
        {changed && <span className={styles.was}> was {quantity(before, row.unit, currency)}</span>}
      </span>
    </td>
  );
});
