import { Button } from '../../../components/button';
import { useAddClusters } from '../api/add-design';
import type { Found } from '../fleet';
import { AddedNote } from './added-note';
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
      <AddedNote studyId={studyId} added={add.data} error={add.error} />
    </div>
  );
}
