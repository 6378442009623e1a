import { date, significant } from '../lib/format';
import type { StudyOutlook } from '../lib/types';

const said = (value: unknown) =>
  typeof value === 'number' ? significant(value, 6) : String(value ?? '—');

/** The values of a study that the catalogue has newer, old beside new. */
export function OutlookChanges({ row }: { row: StudyOutlook }) {
  const left = row.prices_count - row.changes.length;
  return (
    <details>
      <summary>
        {row.prices_count === 1 ? 'One newer value' : `${row.prices_count} newer values`}
      </summary>
      <ul>
        {row.changes.map((change) => (
          <li key={`${change.letter}${change.pointer}`} className="small">
            {change.label}: {said(change.before)} → {said(change.after)}
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
