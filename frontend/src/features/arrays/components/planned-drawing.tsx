import { ArrayDrawing } from '../drawing/array-drawing';
import { plannedArray } from '../plan-array';
import type { JsonObject } from '../../../lib/pointer';
import styles from './arrays.module.css';

/** The array of a study's design, drawn as it is typed; nothing where it has none. */
export function PlannedDrawing({ letter, spec }: { letter: string; spec: JsonObject }) {
  const planned = plannedArray(spec.array);
  if (!planned) return null;
  const { array, perGroup, spares, count } = planned;
  return (
    <div className={styles.planned}>
      <ArrayDrawing array={array} letter={letter} perGroup={perGroup} spares={spares} />
      {count !== 1 && (
        <p className="muted small">
          {count === null ? 'As many of these as the demand needs.' : `${count} of these.`}
        </p>
      )}
    </div>
  );
}
