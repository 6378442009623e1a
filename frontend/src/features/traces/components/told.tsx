import { JobRow } from '../../../components/job-row';
import { Rich } from '../../../components/rich';
import type { Told } from '../../../components/told/told';
import { ToldFigures } from '../../../components/told/told-figures';
import { ToldTables } from '../../../components/told/told-tables';
import { messageOf } from '../../../lib/problem';
import type { useModelRun } from '../../../lib/model-run';
import own from './cache-panel.module.css';
import styles from './traces.module.css';

interface AnswerProps {
  /** Names the answer for tests. */
  id: string;
  of: Told;
}

/** What was found: the sentence that matters, the others, and what they rest on. */
export function Answer({
  id,
  of: { headline, notes = [], figures = [], tables = [] },
}: AnswerProps) {
  return (
    <>
      <div className={own.answer} data-testid={id} aria-live="polite">
        <p className={styles.lead}>
          <Rich text={headline} />
        </p>
        {notes.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <ToldFigures figures={figures} />
      <div className={own.beside}>
        <ToldTables tables={tables} />
      </div>
    </>
  );
}

/** The answer of a run, unless it was kept from a version that told nothing. */
export const toldBy = <R extends Told>(answer: R | null): R | null =>
  answer && 'headline' in answer ? answer : null;

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
