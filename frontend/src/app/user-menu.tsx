import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Chip } from '../components/chip';
import { Icon } from '../components/icon';
import { MenuButton } from '../components/popover';
import { useSignOut } from '../features/session/api/sign-out';
import type { Session } from '../lib/types';
import { useEnter, workspacesQueryOptions } from '../lib/workspaces';
import styles from './user-menu.module.css';

/** The workspaces that one is in; a press goes there. */
function Workspaces({ session }: { session: Session }) {
  const navigate = useNavigate();
  const workspaces = useQuery(workspacesQueryOptions);
  const enter = useEnter();
  const rows = workspaces.data ?? [{ ...session.workspace, created_at: '' }];
  return (
    <div className={styles.workspaces} role="group" aria-label="Workspaces">
      {rows.map((row) => (
        <button
          key={row.id}
          type="button"
          aria-current={row.id === session.workspace.id || undefined}
          onClick={() => enter.mutate(row.id, { onSuccess: () => navigate({ to: '/' }) })}
        >
          <span className={styles.mark}>
            {row.id === session.workspace.id && <Icon name="check" size={14} />}
          </span>
          {row.name} <Chip>{row.role}</Chip>
        </button>
      ))}
    </div>
  );
}

export function UserMenu({ session }: { session: Session }) {
  const signOut = useSignOut();
  return (
    <MenuButton icon="user" label="Account" look="quiet">
      <div className={styles.who}>
        <strong>{session.user.email}</strong>
        <span className="muted small">{session.workspace.name}</span>
      </div>
      <Workspaces session={session} />
      <Link to="/settings">Settings and people</Link>
      <a href="/api/docs/">API reference</a>
      <button type="button" onClick={() => signOut.mutate()}>
        Sign out
      </button>
    </MenuButton>
  );
}
