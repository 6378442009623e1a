import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../components/button';
import { Fault } from '../components/fault';
import { Logo } from '../components/logo';
import { Loading } from '../components/query-state';
import { StoredComparison } from '../features/compare/components/stored-comparison';
import { api, body } from '../lib/api';
import { figuresOf, wholeOf, withDrawn, type Comparison, type Drawn } from '../lib/comparison';
import { saveBlob } from '../lib/csv';
import { date, dateTime } from '../lib/format';
import { isEnded } from '../lib/job-events';
import { isStatus } from '../lib/problem';
import type { Report, Shared } from '../lib/types';
import styles from './shared-page.module.css';

const POLL_MS = 700;
const WAITS_MOST = 120;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What the link shows; null where it leads nowhere any more. */
async function shared(headers: { Authorization: string }, figures: string): Promise<Shared | null> {
  try {
    const params = { query: wholeOf(figures) };
    return await body<Shared>(api.GET('/api/v1/shared', { headers, params }));
  } catch (error) {
    if (isStatus(error, 401)) return null;
    throw error;
  }
}

async function downloadReport(headers: { Authorization: string }): Promise<void> {
  const ask = () => body<Report>(api.POST('/api/v1/shared/report', { headers }));
  let report = await ask();
  while (!isEnded(report.state)) {
    await wait(POLL_MS);
    report = await ask();
  }
  const { data } = await api.GET('/api/v1/shared/report/file', { headers, parseAs: 'blob' });
  saveBlob(report.file_name, data as unknown as Blob);
}

/** What a link shows to who has it, without an account. */
export function SharedPage() {
  const [headers] = useState(() => ({ Authorization: `Link ${location.hash.replace(/^#/, '')}` }));
  const [figures, setFigures] = useState(figuresOf());
  const found = useQuery({
    queryKey: ['shared', headers.Authorization, figures],
    queryFn: () => shared(headers, figures),
    placeholderData: keepPreviousData,
    // The run behind a new link may still be on its way.
    retry: (count, error) => isStatus(error, 409) && count < WAITS_MOST,
    retryDelay: POLL_MS,
  });
  const report = useMutation({ mutationFn: () => downloadReport(headers) });
  const view = found.data;
  return (
    <main className="page">
      <header className={styles.head}>
        <div className="brand">
          <Logo size={22} /> Ampacity
        </div>
        {view?.with_inputs && (
          <Button icon="report" disabled={report.isPending} onClick={() => report.mutate()}>
            {report.isPending ? 'Drawing …' : 'Report as PDF'}
          </Button>
        )}
      </header>
      <Fault of={found} />
      <Fault of={report} />
      {found.isPending && <Loading minHeight={480} lines={10} />}
      {view === null && (
        <>
          <h1>This link is over</h1>
          <p className="muted">It expired or was revoked. Ask who sent it for a new one.</p>
        </>
      )}
      {view && (
        <>
          <h1>{view.title}</h1>
          {view.question && <p>{view.question}</p>}
          <p className={`muted ${styles.about}`}>
            {view.approved_as && `Approved as ${view.approved_as}. `}
            Result of {dateTime(view.run.submitted_at)}, shared by {view.shared_by} of{' '}
            {view.workspace_name} until {date(view.expires_at)}
            {view.with_inputs ? '' : ', without inputs'}.
          </p>
          <StoredComparison
            studyId={view.run.study ?? ''}
            comparison={withDrawn(view as unknown as { result: Comparison; drawn?: Drawn })}
            onFigures={setFigures}
          />
        </>
      )}
    </main>
  );
}
