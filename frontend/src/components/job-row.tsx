import type { ReactNode } from 'react';
import { dateTime } from '../lib/format';
import { isEnded } from '../lib/job-events';
import { timeLeft } from '../lib/time-left';
import type { Job } from '../lib/types';
import { Button } from './button';
import { Chip, type Tone } from './chip';
import { Progress } from './progress';
import styles from './job-row.module.css';

const STATES: Record<Job['state'], { word: string; tone: Tone }> = {
  queued: { word: 'waiting', tone: 'neutral' },
  running: { word: 'running', tone: 'action' },
  succeeded: { word: 'done', tone: 'good' },
  failed: { word: 'failed', tone: 'bad' },
  cancelled: { word: 'cancelled', tone: 'neutral' },
};

function errorText(error: Job['error']): string {
  if (!error) return 'It ended without a reason.';
  return [error.message, ...error.faults.map((fault) => fault.message)].join(' ');
}

interface JobRowProps {
  title: ReactNode;
  job: Job;
  /** Left out where the work cannot be stopped. */
  onCancel?: () => void;
  cancelling?: boolean;
  children?: ReactNode;
}

/** A job: while it works a bar, percent and time left, with a cancel; then how it ended. */
export function JobRow({ title, job, onCancel, cancelling = false, children }: JobRowProps) {
  const open = !isEnded(job.state);
  const { word, tone } = STATES[job.state];
  const isWaiting = job.state === 'queued' && job.progress_fraction === 0;
  const percent = `${Math.floor(job.progress_fraction * 100)}%`;
  const at = isWaiting ? 'Waits for a free worker' : percent;
  return (
    <div className={styles.row}>
      <div className={styles.line}>
        <div className={styles.title}>{title}</div>
        <div className="row gap-8 fixed">
          <Chip tone={tone}>{word}</Chip>
          {open && onCancel && (
            <Button small look="danger" disabled={cancelling} onClick={onCancel}>
              {cancelling ? 'Cancelling …' : 'Cancel'}
            </Button>
          )}
          {!open && children}
        </div>
      </div>
      {open && (
        <>
          <Progress fraction={job.progress_fraction} label="Progress" />
          <p className="muted small num" aria-live="polite">
            {[at, job.progress_message, timeLeft(job.seconds_left)].filter(Boolean).join(' · ')}
          </p>
        </>
      )}
      {job.state === 'failed' && <p className="small fault">{errorText(job.error)}</p>}
      {!open && <p className="muted small num">{dateTime(job.ended_at ?? job.submitted_at)}</p>}
    </div>
  );
}
