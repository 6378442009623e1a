import { Icon } from '../../../components/icon';
import type { DraftStatus } from '../draft';
import styles from './designs.module.css';

const WORDS: Record<DraftStatus, string> = {
  saved: 'Saved',
  waiting: 'Saving …',
  saving: 'Saving …',
  offline: 'Kept here, not saved yet',
  failed: 'Not saved',
  conflict: 'Changed elsewhere',
};

export function SaveState({ status, message }: { status: DraftStatus; message: string | null }) {
  const isBad = status === 'failed' || status === 'conflict';
  const isWarning = status === 'offline';
  const name = isBad ? styles.bad : isWarning ? styles.warn : 'muted';
  return (
    <span className={`${styles.save} ${name} small`} role="status" title={message ?? undefined}>
      <Icon
        name={isBad ? 'warning' : isWarning ? 'cloudOff' : status === 'saved' ? 'check' : 'history'}
        size={14}
      />
      {WORDS[status]}
    </span>
  );
}
