import { Button } from '../button';
import type { Fault } from '../../lib/problem';
import { prefixes } from './use-open';
import styles from './fault-names.module.css';

interface FaultNamesProps {
  faults: readonly Fault[];
  /** The name of a field, with the groups it lies in. */
  labels: (pointer: string) => string;
  setOpen: (path: string, open: boolean) => void;
}

const SHOWN = 4;

/** Which fields inside of groups are wrong: a press unfolds them, where the fault stands beside. */
export function FaultNames({ faults, labels, setOpen }: FaultNamesProps) {
  const inside = faults.filter(({ pointer }) => pointer.lastIndexOf('/') > 0);
  if (inside.length === 0) return null;
  const more = inside.length - SHOWN;
  const show = (pointer: string) => prefixes(pointer).forEach((path) => setOpen(path, true));
  return (
    <ul className={styles.list} aria-label="Fields with an error">
      {inside.slice(0, SHOWN).map(({ pointer, code, message }) => (
        <li key={`${pointer} ${code}`}>
          <Button small look="quiet" onClick={() => show(pointer)}>
            {labels(pointer)}
          </Button>
          <span className="small">{message}</span>
        </li>
      ))}
      {more > 0 && <li className="muted small">and {more} more</li>}
    </ul>
  );
}
