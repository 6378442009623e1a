import { Link } from '@tanstack/react-router';
import { MenuButton } from '../components/popover';
import { useSignOut } from '../features/session/api/sign-out';
import type { Session } from '../lib/types';
import styles from './user-menu.module.css';

export function UserMenu({ session }: { session: Session }) {
  const signOut = useSignOut();
  return (
    <MenuButton icon="user" label="Account" look="quiet">
      <div className={styles.who}>
        <strong>{session.user.email}</strong>
        <span className="muted small">{session.workspace.name}</span>
      </div>
      <Link to="/settings">Settings and tokens</Link>
      <a href="/api/docs/">API reference</a>
      <button type="button" onClick={() => signOut.mutate()}>
        Sign out
      </button>
    </MenuButton>
  );
}
