import { useQuery } from '@tanstack/react-query';
import { answerQueryOptions } from '../../../lib/answers';
import { isObject, type JsonObject } from '../../../lib/pointer';
import type { Science } from '../../../lib/science';
import { useLast } from '../use-last';
import { ArrayDrawing } from '../drawing/array-drawing';
import styles from './arrays.module.css';

type Drawing = Science['plans.array_drawing.Result'];

/** The array of a study's design, drawn as it is typed; nothing where it has none. */
export function PlannedDrawing({ letter, spec: { array } }: { letter: string; spec: JsonObject }) {
  const query = useQuery(
    answerQueryOptions<Drawing, Drawing>(
      'plans.array_drawing',
      isObject(array) ? array : null,
      ({ result }) => result,
    ),
  );
  const data = useLast(query.data);
  if (!data?.drawn || !isObject(array)) return null;
  return (
    <div className={styles.planned}>
      <ArrayDrawing array={data.drawn} letter={letter} />
      {data.arrays && <p className="muted small">{data.arrays}</p>}
    </div>
  );
}
