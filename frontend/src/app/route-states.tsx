import { Link, Navigate } from '@tanstack/react-router';
import { Empty, Failed } from '../components/query-state';

export function RouteMissing() {
  return (
    <main className="page">
      <Empty minHeight={320}>
        <h1>There is no page at this address.</h1>
        <Link to="/">Go to the studies</Link>
      </Empty>
    </main>
  );
}

export function RouteFailed({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <main className="page">
      <Failed error={error} onRetry={reset} minHeight={320} />
    </main>
  );
}

/** Where somebody who is signed in has nothing to do. */
export const OnToStudies = () => <Navigate to="/" replace />;
