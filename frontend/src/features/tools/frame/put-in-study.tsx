import { Button } from '../../../components/button';
import { useAddClusters } from './add-design';
import type { Found } from './fleet';
import { AddedNote } from './added-note';
import styles from './tools.module.css';

interface PutInStudyProps {
  studyId: string | undefined;
  label: string;
  found: readonly Found[];
}

/** Puts what a view found into the study, as designs that Compare holds against the others. */
export function PutInStudy({ studyId, ...rest }: PutInStudyProps) {
  if (rest.found.length === 0) return null;
  if (studyId === undefined) {
    return <p className="muted small">Choose a study above to add this to it as designs.</p>;
  }
  return <Put studyId={studyId} {...rest} />;
}

function Put({ studyId, label, found }: PutInStudyProps & { studyId: string }) {
  const add = useAddClusters(studyId);
  return (
    <div className={styles.bar}>
      <Button disabled={add.isPending} onClick={() => add.mutate(found)}>
        {label}
      </Button>
      <AddedNote studyId={studyId} added={add.data} error={add.error} />
    </div>
  );
}
