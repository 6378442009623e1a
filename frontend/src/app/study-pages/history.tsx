import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Failed, Loading } from '../../components/query-state';
import { StoredComparison } from '../../features/compare/components/stored-comparison';
import { runDetailQueryOptions } from '../../features/history/api/history';
import { BesidePage } from '../../features/history/components/beside-page';
import { HistoryPage } from '../../features/history/components/history-page';
import { figuresOf, type Comparison } from '../../lib/comparison';
import { dateTime } from '../../lib/format';
import { resultQueryOptions } from '../../lib/runs';
import type { StudyDocument } from '../../lib/types';
import styles from '../shared-page.module.css';

const history = getRouteApi('/studies/$studyId/history');
const beside = getRouteApi('/studies/$studyId/history/beside');
const stored = getRouteApi('/studies/$studyId/history/$runId');

export function HistoryRoute() {
  const { studyId } = history.useParams();
  return <HistoryPage key={studyId} studyId={studyId} />;
}

export function BesideRoute() {
  const { studyId } = beside.useParams();
  const navigate = beside.useNavigate();
  return (
    <BesidePage
      key={studyId}
      {...beside.useSearch()}
      studyId={studyId}
      onChoose={(search) => void navigate({ search, replace: true })}
    />
  );
}

export function StoredRunRoute() {
  const { studyId, runId } = stored.useParams();
  const run = useQuery(runDetailQueryOptions(runId));
  const [figures, setFigures] = useState(figuresOf());
  const result = useQuery({
    ...resultQueryOptions<Comparison>(runId, figures),
    placeholderData: keepPreviousData,
  });
  const failure = run.error ?? result.error;
  if (failure) {
    return <Failed error={failure} onRetry={() => void result.refetch()} minHeight={320} />;
  }
  if (!run.data || !result.data) return <Loading minHeight={720} lines={12} />;
  return (
    <>
      <p className={`muted ${styles.about}`}>
        The run of {dateTime(run.data.submitted_at)}, model {run.data.model_version}; it cannot be
        changed.{' '}
        <Link to="/studies/$studyId/history" params={{ studyId }}>
          All runs
        </Link>
      </p>
      <StoredComparison
        studyId={studyId}
        comparison={result.data}
        document={run.data.params as unknown as StudyDocument}
        onFigures={setFigures}
      />
    </>
  );
}
