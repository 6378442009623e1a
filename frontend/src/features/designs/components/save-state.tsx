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

export function SaveState({ status, message }: { status: DraftStatus; message: string | null }) {
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
      <Icon name={status === 'saved' ? 'check' : ICONS[look]} size={14} />
      {WORDS[status]}
      {status === 'signed_out' && (
        <Button small onClick={signIn}>
          Sign in
        </Button>
      )}
    </span>
  );
}
