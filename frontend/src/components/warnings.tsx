import type { Comparison } from '../lib/comparison';
import { Icon } from './icon';
import styles from './warnings.module.css';

/** So many warnings are read at a glance; the check has all. */
const AT_A_GLANCE = 2;

interface WarningsProps {
  comparison: Comparison;
  isBrief?: boolean;
}

/** What to know of an answer that no number says; `isBrief`, the first of it. */
export function Warnings({ comparison, isBrief = false }: WarningsProps) {
  const { warnings } = comparison;
  const shown = isBrief ? warnings.slice(0, AT_A_GLANCE) : warnings;
  if (shown.length === 0) return null;
  const more = warnings.length - shown.length;
  return (
    <ul className={`${styles.warnings} small`} aria-label="Warnings">
      {shown.map((warning) => (
        <li key={warning}>
          <Icon name="warning" size={14} /> {warning}
        </li>
      ))}
      {more > 0 && (
        <li className="muted">
          {more === 1 ? 'One more stands' : `${more} more stand`} with the check.
        </li>
      )}
    </ul>
  );
}
