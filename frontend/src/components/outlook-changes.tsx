import { date, statedCurrency } from '../lib/format';
import { valueText } from '../lib/labels';
import type { StudyOutlook } from '../lib/types';

/** The values of a study that the catalogue has newer, old beside new. */
export function OutlookChanges({ row }: { row: StudyOutlook }) {
  const currency = statedCurrency(row.currency);
  const left = row.prices_count - row.changes.length;
  return (
    <details>
      <summary>
        {row.prices_count === 1 ? 'One newer value' : `${row.prices_count} newer values`}
      </summary>
      <ul>
        {row.changes.map((change) => (
          <li key={`${change.letter}${change.pointer}`} className="small">
            {change.label}: {valueText(change.before, change.unit, currency)} →{' '}
            {valueText(change.after, change.unit, currency)}
            <span className="muted">
              {' '}
              {change.entry}
              {change.as_of && `, ${date(change.as_of)}`}
            </span>
          </li>
        ))}
      </ul>
      {left > 0 && <p className="muted small">And {left} more.</p>}
    </details>
  );
}
