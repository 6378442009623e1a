import { useSession } from '../lib/session';
import styles from './viewer-note.module.css';

interface ViewerNoteProps {
  /** What a viewer can do here, and what takes an editor, as ends of a sentence. */
  can: string;
  cannot: string;
}

/** Why a page is read-only, for who may not change what is on it. */
export function ViewerNote({ can, cannot }: ViewerNoteProps) {
  const session = useSession();
  if (session?.workspace.role !== 'viewer') return null;
  return (
    <p role="note" className={styles.note}>
      You are a viewer of {session.workspace.name}: you can {can}; only owners and editors {cannot}.
    </p>
  );
}
