import { JobRow } from '../../../components/job-row';
import { Rich } from '../../../components/rich';
import { messageOf } from '../../../lib/problem';
import type { useModelRun } from '../../../lib/model-run';
import own from './cache-panel.module.css';
import styles from './traces.module.css';

interface ToldProps {
  /** Names the answer for tests. */
  id: string;
  lead: string;
  more: readonly string[];
}

/** What was found, in words: the sentence that matters, then the others. */
export function Told({ id, lead, more }: ToldProps) {
  return (
    <div className={own.answer} data-testid={id} aria-live="polite">
      <p className={styles.lead}>
        <Rich text={lead} />
      </p>
      {more.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}

interface RunStateProps {
  title: string;
  of: Pick<ReturnType<typeof useModelRun>, 'run' | 'error' | 'cancel' | 'cancelling'>;
}

/** How far a run is while it is not done, and what went wrong with it. */
export function RunState({ title, of: { run, error, cancel, cancelling } }: RunStateProps) {
  return (
    <>
      {run && run.state !== 'succeeded' && (
        <JobRow title={title} job={run} cancelling={cancelling} onCancel={cancel} />
      )}
      {error != null && (
        <p className="fault" role="alert">
          {messageOf(error)}
        </p>
      )}
    </>
  );
}
