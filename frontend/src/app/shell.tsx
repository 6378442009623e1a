import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { Chip } from '../components/chip';
import { Icon } from '../components/icon';
import { Logo } from '../components/logo';
import { Failed } from '../components/query-state';
import { JobsButton } from '../features/jobs/components/jobs-button';
import { JoinPage } from '../features/session/components/join-page';
import { useNoCodeInAddress } from '../features/session/leftover-code';
import { WelcomePage } from '../features/session/components/welcome-page';
import { SignIn } from '../features/session/components/sign-in';
import { ROLES } from '../lib/roles';
import { useJobEvents } from '../lib/job-events';
import { numberFormatQueryOptions } from '../lib/number-format';
import { useServiceWatch } from '../lib/service';
import { sessionQueryOptions } from '../lib/session';
import type { Session } from '../lib/types';
import { ThemeButton } from './theme-button';
import { UserMenu } from './user-menu';
import styles from './shell.module.css';

const SharedPage = lazy(async () => ({ default: (await import('./shared-page')).SharedPage }));

const NO_CONNECTION = {
  part: 'network',
  message: 'No connection. What you type is kept here and saved when it is back.',
};

function subscribeOnline(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

function Frame({ session }: { session: Session }) {
  useJobEvents(session.events_url);
  useNoCodeInAddress();
  // Fields show numbers as their reader writes them: none is drawn before that is known.
  const isFormatKnown = !useQuery(numberFormatQueryOptions).isPending;
  const online = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  const away = useServiceWatch();
  const said = online ? away : [NO_CONNECTION];
  return (
    <>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <header className={styles.bar}>
        <div className={styles.inner}>
          <Link to="/" className={styles.brand}>
            <Logo size={22} /> <span>Ampacity</span>
          </Link>
          <nav className={styles.nav} aria-label="Main">
            <Link to="/" activeOptions={{ exact: true }}>
              Studies
            </Link>
            <Link to="/tools">Tools</Link>
            <Link to="/catalogue">Catalogue</Link>
            <Link to="/traces">Traces</Link>
            <Link to="/imports">Imports</Link>
            <Link to="/method">Method</Link>
          </nav>
          <div className={styles.right}>
            {!ROLES[session.workspace.role].mayEdit && (
              <Chip title="Your role here: you see, try and report; changes are not saved.">
                {session.workspace.role}
              </Chip>
            )}
            <JobsButton />
            <span className={styles.theme}>
              <ThemeButton />
            </span>
            <UserMenu session={session} />
          </div>
        </div>
        <div role="status">
          {said.map(({ part, message }) => (
            <div key={part} className={styles.offline}>
              <Icon name="cloudOff" size={14} />
              {message}
            </div>
          ))}
        </div>
      </header>
      <div id="content">{isFormatKnown && <Outlet />}</div>
    </>
  );
}

/** The frame of every page; the sign-in page where nobody is signed in. */
export function Shell() {
  const session = useQuery(sessionQueryOptions);
  const isInvited = useLocation({ select: ({ pathname }) => pathname === '/join' });
  const isMailed = useLocation({ select: ({ pathname }) => pathname === '/welcome' });
  const isShared = useLocation({ select: ({ pathname }) => pathname === '/shared' });
  if (isShared) {
    return (
      <Suspense fallback={<div className={styles.waiting} aria-busy="true" />}>
        <SharedPage />
      </Suspense>
    );
  }
  if (isMailed) return <WelcomePage />;
  if (isInvited && session.data !== undefined) return <JoinPage />;
  if (session.data) return <Frame session={session.data} />;
  if (session.data === null) return <SignIn />;
  if (session.isError) {
    return (
      <main className="page">
        <Failed error={session.error} onRetry={() => void session.refetch()} minHeight={320} />
      </main>
    );
  }
  return <div className={styles.waiting} aria-busy="true" />;
}
