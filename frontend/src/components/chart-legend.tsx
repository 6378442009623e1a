import type { Legend } from '../lib/figure';
import styles from './chart-legend.module.css';

interface ChartLegendProps {
  name: string;
  legend: Legend;
  hidden: ReadonlySet<string>;
  onHidden: (hidden: ReadonlySet<string>) => void;
}

function toggled(hidden: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(hidden);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** What the colours of a chart mean; each takes its pieces out of the drawing and puts them back. */
export function ChartLegend({ name, legend, hidden, onHidden }: ChartLegendProps) {
  return (
    <div className={styles.legend} role="group" aria-label={`${name}: legend`}>
      {legend.entries.map((entry) => (
        <button
          key={entry.id}
          type="button"
          className={styles.entry}
          aria-pressed={!hidden.has(entry.id)}
          onClick={() => onHidden(toggled(hidden, entry.id))}
        >
          <span className={styles.tint} style={{ background: entry.color }} />
          {entry.label}
        </button>
      ))}
    </div>
  );
}
