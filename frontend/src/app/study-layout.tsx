import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, buttonClass } from '../components/button';
import { Icon } from '../components/icon';
import { Bone, Failed } from '../components/query-state';
import { ShareButton } from '../components/share-button';
import { AsOfNote } from '../features/designs/components/as-of';
import { UndoRedo } from '../features/designs/components/undo-redo';
import { StudyDetails } from '../features/studies/components/study-details';
import { commentsQueryOptions } from '../lib/comments';
import { ViewerNote } from '../components/viewer-note';
import { date } from '../lib/format';
import { isStatus } from '../lib/problem';
import { useMayEdit } from '../lib/session';
import { snapshotDay } from '../lib/snapshots';
import { studyQueryOptions } from '../lib/studies';
import type { Study } from '../lib/types';
import { ToolResults } from '../features/studies/components/tool-results';
import { RouteMissing } from './route-states';
import styles from './study-layout.module.css';

const route = getRouteApi('/studies/$studyId');

/** Of when the prices are, in one line that opens to all of them. */
function PriceDates({ study }: { study: Study }) {
  if (study.as_of === '' && study.price_dates) {
    return (
      <details className={`${styles.question} small`}>
        <summary>Prices of {study.price_span}</summary>
        {study.price_dates}
      </details>
    );
  }
  const day = study.as_of || snapshotDay(study.snapshot);
  const text = day ? date(day) : study.snapshot;
  return text ? <p className={`${styles.question} small`}>Catalogue of {text}</p> : null;
}

function Head({ study }: { study: Study | undefined }) {
  const [edits, setEdits] = useState(false);
  const mayEdit = useMayEdit();
  if (!study) return <Bone width={280} height={28} />;
  return (
    <>
      <div className={styles.titles}>
        <h1>{study.title}</h1>
        <div className={styles.about}>
          {study.question && <p className={styles.question}>{study.question}</p>}
          <PriceDates study={study} />
        </div>
      </div>
      <div className="line gap-8">
        {mayEdit && (
          <>
            <UndoRedo study={study} />
            <Button onClick={() => setEdits(true)}>Rename</Button>
          </>
        )}
        <ShareButton />
        <Link
          to="/studies/$studyId/report"
          params={{ studyId: study.id }}
          className={buttonClass({ look: 'plain' })}
        >
          <Icon name="report" /> Report
        </Link>
        {edits && <StudyDetails study={study} onClose={() => setEdits(false)} />}
      </div>
    </>
  );
}

export function StudyLayout() {
  const { studyId } = route.useParams();
  const study = useQuery(studyQueryOptions(studyId));
  const comments = useQuery(commentsQueryOptions(studyId)).data ?? [];
  const open = comments.filter((row) => row.resolved_at === null).length;
  if (isStatus(study.error, 404)) return <RouteMissing />;
  const params = { studyId };
  return (
    <main className="page">
      <header className={styles.head}>
        <Head study={study.data} />
      </header>
      <nav className={styles.tabs} aria-label="Study">
        <Link to="/studies/$studyId/designs" params={params}>
          Designs
        </Link>
        <Link to="/studies/$studyId/compare" params={params}>
          Compare
        </Link>
        <Link to="/studies/$studyId/catalogue" params={params}>
          Explore designs
        </Link>
        <Link to="/studies/$studyId/plan" params={params}>
          Plan
        </Link>
        <Link to="/studies/$studyId/history" params={params}>
          History
        </Link>
        <Link to="/studies/$studyId/comments" params={params}>
          Comments{open > 0 && ` (${open})`}
        </Link>
        <Link to="/studies/$studyId/report" params={params}>
          Report
        </Link>
      </nav>
      {study.isError && !study.data ? (
        <Failed error={study.error} onRetry={() => void study.refetch()} minHeight={240} />
      ) : (
        <>
          <ViewerNote
            can="read and try values"
            cannot="change its studies, so fields are read-only"
          />
          {study.data && <AsOfNote study={study.data} />}
          <Outlet />
          <ToolResults studyId={studyId} />
        </>
      )}
    </main>
  );
}
