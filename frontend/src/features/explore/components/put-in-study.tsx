import { Link } from '@tanstack/react-router';
import { Button } from '../../../components/button';
import { messageOf } from '../../../lib/problem';
import { useAddClusters } from '../api/add-design';
import type { Found } from '../fleet';
import styles from './explore.module.css';

interface PutInStudyProps {
  studyId: string;
  label: string;
  found: readonly Found[];
}

/** Puts what a view found into the study, as designs that Compare holds against the others. */
export function PutInStudy({ studyId, label, found }: PutInStudyProps) {
  const add = useAddClusters(studyId);
  if (found.length === 0) return null;
  return (
    <div className={styles.bar}>
      <Button disabled={add.isPending} onClick={() => add.mutate(found)}>
        {label}
      </Button>
      <p className="small" aria-live="polite">
        {add.isError && <span className={styles.wrong}>{messageOf(add.error)}</span>}
        {add.isSuccess && (
          <>
            {add.data.length === 1 ? 'Design' : 'Designs'}{' '}
            {add.data.map(({ letter }) => letter).join(' and ')}{' '}
            {add.data.length === 1 ? 'is' : 'are'} in the study.{' '}
            <Link to="/studies/$studyId/designs" params={{ studyId }}>
              Open
            </Link>{' '}
            or{' '}
            <Link to="/studies/$studyId/compare" params={{ studyId }}>
              compare
            </Link>
            .
          </>
        )}
      </p>
    </div>
  );
}
