import { ROLES } from '../lib/roles';
import { useSession } from '../lib/session';
import styles from './viewer-note.module.css';

interface ViewerNoteProps {
  /** What who may not edit can do here, and what takes an editor, as ends of a sentence. */
  can: string;
  cannot: string;
}

/** Why a page is read-only, for who may not change what is on it. */
export function ViewerNote({ can, cannot }: ViewerNoteProps) {
  const session = useSession();
  if (!session || ROLES[session.workspace.role].mayEdit) return null;
  return (
    <p role="note" className={styles.note}>
      You are {ROLES[session.workspace.role].named} of {session.workspace.name}: you can {can}; only
      owners and editors {cannot}.
    </p>
  );
}
