import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Chip } from '../components/chip';
import { Icon } from '../components/icon';
import { MenuButton, MenuGroup, MenuItem } from '../components/menu';
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
    <MenuGroup className={styles.workspaces} aria-label="Workspaces">
      {rows.map((row) => (
        <MenuItem
          key={row.id}
          role="menuitemradio"
          aria-checked={row.id === session.workspace.id}
          onSelect={() => enter.mutate(row.id, { onSuccess: () => navigate({ to: '/' }) })}
        >
          <span className={styles.mark}>
            {row.id === session.workspace.id && <Icon name="check" size={14} />}
          </span>
          {row.name} <Chip>{row.role}</Chip>
        </MenuItem>
      ))}
    </MenuGroup>
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
      <MenuItem asChild>
        <Link to="/settings">Settings and people</Link>
      </MenuItem>
      <MenuItem asChild>
        <a href="/api/docs/">API reference</a>
      </MenuItem>
      <MenuItem onSelect={() => signOut.mutate()}>Sign out</MenuItem>
    </MenuButton>
  );
}
