import { Button } from '../../../components/button';
import { Progress } from '../../../components/progress';
import { Rich } from '../../../components/rich';
import { RunPdf } from '../../../components/run-pdf';
import { ShareButton } from '../../../components/share-button';
import type { JsonObject } from '../../../lib/pointer';
import { timeLeft } from '../../../lib/time-left';
import { VERDICT } from '../api/verdict';
import type { ArraysState } from '../types';
import type { ArrayRun, Runs } from '../use-runs';
import styles from './arrays.module.css';

interface PageHeadProps {
  state: ArraysState;
  /** What the runs say; nothing before there is one. */
  headline: string | null;
  runs: Runs;
  /** The runs as a PDF asks for them; nothing before all have ended. */
  params: JsonObject | null;
  onStart: () => void;
  onAdd: () => void;
}

/** What a run waits for before it begins, with the time left where that is known. */
function waitingFor(open: readonly ArrayRun[]): string | null {
  const told = open.find(({ run }) => run?.progress_message)?.run;
  return told
    ? [told.progress_message, timeLeft(told.seconds_left)].filter(Boolean).join(' · ')
    : null;
}

function Working({ runs }: { runs: Runs }) {
  const shares = runs.rows.map((row) => (row.result ? 1 : (row.run?.progress_fraction ?? 0)));
  const share = shares.reduce((sum, one) => sum + one, 0) / Math.max(1, shares.length);
  return (
    <div className={styles.progress}>
      <Progress fraction={share} label="Simulating" />
      <span className="muted small num" aria-live="polite">
        {waitingFor(runs.open) ??
          `${runs.rows.length - runs.open.length} of ${runs.rows.length} arrays are done`}
      </span>
    </div>
  );
}

/** The answer first; then what starts, stops and shares it. */
export function PageHead({ state, headline, runs, params, onStart, onAdd }: PageHeadProps) {
  const stale = runs.rows.some((row) => row.stale) && headline !== null;
  const asked = state.recorded?.requests_count ?? state.workload.requests_count;
  const count = asked.toLocaleString('en-GB');
  return (
    <header className={styles.head}>
      <div>
        <h1>Disk arrays</h1>
        <p className={`${styles.answer} ${stale ? styles.dim : ''}`} data-testid="verdict">
          {headline !== null ? (
            <Rich text={headline} />
          ) : (
            <span className="muted">
              Draw arrays, then simulate {count} requests on each: response times, power and wear.
            </span>
          )}
        </p>
        {stale && <p className="small muted">The inputs have changed since. Simulate again.</p>}
      </div>
      <div className={styles.actions}>
        {runs.working && <Working runs={runs} />}
        <Button icon="plus" onClick={onAdd}>
          Add to a study
        </Button>
        <ShareButton />
        {params && !stale && <RunPdf model={VERDICT} params={params} />}
        {runs.working ? (
          <Button look="danger" icon="close" onClick={runs.cancel}>
            Cancel
          </Button>
        ) : (
          <Button look="primary" icon="chart" onClick={onStart}>
            Simulate
          </Button>
        )}
      </div>
    </header>
  );
}
