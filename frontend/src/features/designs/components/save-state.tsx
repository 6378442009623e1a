import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../../../components/button';
import { Icon } from '../../../components/icon';
import { SESSION_KEY } from '../../../lib/query-client';
import type { DraftStatus } from '../draft';
import styles from './designs.module.css';

const WORDS: Record<DraftStatus, string> = {
  saved: 'Saved',
  waiting: 'Saving …',
  saving: 'Saving …',
  offline: 'Kept here, not saved yet',
  signed_out: 'Your session has ended. What you typed is kept here.',
  failed: 'Not saved',
  conflict: 'Changed elsewhere',
};

const LOOKS: Partial<Record<DraftStatus, 'bad' | 'warn'>> = {
  failed: 'bad',
  conflict: 'bad',
  offline: 'warn',
  signed_out: 'warn',
};

const ICONS = { bad: 'warning', warn: 'cloudOff', muted: 'history' } as const;

/** Drafts are saved as they are typed, with what is wrong in them. */
function savedWith(faultsCount: number): string {
  if (faultsCount === 0) return WORDS.saved;
  return `Saved as typed, with ${faultsCount === 1 ? '1 value' : `${faultsCount} values`} to correct`;
}

interface SaveStateProps {
  status: DraftStatus;
  message: string | null;
  /** What the server refuses of the document as it is saved. */
  faultsCount?: number;
}

export function SaveState({ status, message, faultsCount = 0 }: SaveStateProps) {
  const client = useQueryClient();
  const look = LOOKS[status] ?? 'muted';
  // The page asks who one is, and comes back to this address; the draft is then sent.
  const signIn = () => client.setQueryData(SESSION_KEY, null);
  return (
    <span
      className={`inline gap-4 nowrap ${look === 'muted' ? 'muted' : styles[look]} small`}
      role="status"
      title={message ?? undefined}
    >
      <Icon
        name={status !== 'saved' ? ICONS[look] : faultsCount > 0 ? 'warning' : 'check'}
        size={14}
      />
      {status === 'saved' ? savedWith(faultsCount) : WORDS[status]}
      {status === 'signed_out' && (
        <Button small onClick={signIn}>
          Sign in
        </Button>
      )}
    </span>
  );
}
