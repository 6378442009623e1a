import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button, buttonClass } from '../../../components/button';
import { Fault } from '../../../components/fault';
import { JobRow } from '../../../components/job-row';
import { QueryState } from '../../../components/query-state';
import { ViewerNote } from '../../../components/viewer-note';
import { date, quantity } from '../../../lib/format';
import { useMayEdit } from '../../../lib/session';
import {
  importQueryOptions,
  useCancelImport,
  useDeleteImport,
  useUndo,
  type ImportDetail,
} from '../api/imports';
import type { Preview } from '../preview';
import { AcceptPanel } from './accept-panel';
import { Differences } from './differences';
import styles from './imports.module.css';
import { Months } from './months';
import { NotCovered } from './not-covered';
import { FaultsTable, PreviewTables } from './preview-tables';
import { PriceChanges } from './price-changes';

function Accepted({
  id,
  studyId,
  points,
}: {
  id: string;
  studyId: string | null;
  points: readonly string[];
}) {
  const undo = useUndo(id);
  const mayEdit = useMayEdit();
  const heading = studyId ? 'In a study' : 'In the catalogue';
  return (
    <section className={styles.panel} aria-label={heading}>
      <h2>{heading}</h2>
      <div className="line gap-12">
        {studyId ? (
          <Link
            to="/studies/$studyId/designs"
            params={{ studyId }}
            className={buttonClass({ look: 'primary' })}
          >
            Open the study
          </Link>
        ) : (
          <Link to="/catalogue" className={buttonClass({ look: 'primary' })}>
            Open the catalogue
          </Link>
        )}
        {mayEdit && (
          <Button disabled={undo.isPending} onClick={() => undo.mutate()}>
            Undo the import
          </Button>
        )}
      </div>
      <Fault of={undo} />
      <NotCovered points={points} />
    </section>
  );
}

interface ImportPageProps {
  importId: string;
  onAccepted: (studyId: string) => void;
  onDeleted: () => void;
}

function Read({ one, onAccepted }: { one: ImportDetail } & Pick<ImportPageProps, 'onAccepted'>) {
  const preview = one.preview as unknown as Preview;
  const mayEdit = useMayEdit();
  return (
    <>
      <p className={styles.lead}>{preview.headline}</p>
      {one.accepted_at ? (
        <Accepted id={one.id} studyId={one.study_id} points={one.open_points} />
      ) : (
        mayEdit && (
          <AcceptPanel id={one.id} makes={one.makes} preview={preview} onAccepted={onAccepted} />
        )
      )}
      {one.makes === 'bill' && one.study_id && <Differences id={one.id} studyId={one.study_id} />}
      {one.makes === 'bill' && <Months id={one.id} studyId={one.study_id} />}
      {one.makes === 'prices' && <PriceChanges id={one.id} provider={preview.provider ?? ''} />}
      <PreviewTables tables={one.tables} />
      <FaultsTable preview={preview} />
    </>
  );
}

/** One imported file: what it says, and its way into a study and out again. */
export function ImportPage({ importId, onAccepted, onDeleted }: ImportPageProps) {
  const query = useQuery(importQueryOptions(importId));
  const cancel = useCancelImport();
  const remove = useDeleteImport();
  const mayEdit = useMayEdit();
  return (
    <main className="page">
      <QueryState query={query} minHeight={320}>
        {(one) => (
          <>
            <div className="page-head">
              <h1>{one.file_name}</h1>
              {mayEdit && (
                <Button
                  look="danger"
                  onClick={() => remove.mutate(one.id, { onSuccess: onDeleted })}
                >
                  Delete
                </Button>
              )}
            </div>
            <ViewerNote can="read this import" cannot="take it into a study and delete it" />
            <p className="muted small num flow gap-4-12">
              <span>{quantity(one.bytes, 'B')}</span>
              <span>{date(one.created_at)}</span>
            </p>
            {one.preview ? (
              <Read one={one} onAccepted={onAccepted} />
            ) : (
              <JobRow
                title="Reading the file"
                job={one}
                cancelling={cancel.isPending}
                onCancel={mayEdit ? () => cancel.mutate(one.id) : undefined}
              />
            )}
          </>
        )}
      </QueryState>
    </main>
  );
}
