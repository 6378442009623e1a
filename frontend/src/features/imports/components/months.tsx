import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../../components/button';
import { messageOf } from '../../../lib/problem';
import { monthsQueryOptions } from '../api/imports';
import styles from './imports.module.css';

/** A bill's months, on their way to a forecast and from there to the growth of a study. */
export function Months({ id, studyId }: { id: string; studyId: string | null }) {
  const months = useQuery(monthsQueryOptions(id));
  return (
    <section className={styles.panel} aria-label="Growth">
      <h2>Growth</h2>
      {months.error && <p className="muted small">{messageOf(months.error)}</p>}
      {months.data && (
        <div className="line gap-12">
          <Link
            to="/tools/$tool"
            params={{ tool: 'forecast' }}
            search={{
              s: { step: 'month', values: months.data.values, trend: 'share', ahead_count: 12 },
              of: `import:${id}`,
              ...(studyId && { study: studyId }),
            }}
            className={buttonClass()}
          >
            Forecast its {months.data.values.length} months
          </Link>
        </div>
      )}
    </section>
  );
}
