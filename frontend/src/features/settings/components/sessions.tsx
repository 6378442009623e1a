import { Button } from '../../../components/button';
import { Chip } from '../../../components/chip';
import { Panel } from '../../../components/panel';
import { QueryState } from '../../../components/query-state';
import { Table } from '../../../components/table';
import { date } from '../../../lib/format';
import { useEndSession, useSessions } from '../api/people';
import styles from './settings.module.css';

/** What a browser says of itself, in two words. */
export function browserOf(agent: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(agent)?.[1];
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(agent)?.[1];
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' };
  const parts = [browser, system].filter((part) => part !== undefined);
  return parts.map((part) => names[part] ?? part).join(' on ') || 'Another program';
}

/** Where one is signed in; another browser can be signed out from here. */
export function Sessions() {
  const sessions = useSessions();
  const end = useEndSession();
  return (
    <Panel id="sessions" title="Signed in">
      <QueryState query={sessions} minHeight={56}>
        {(rows) => (
          <Table label="Sessions" className={`${styles.tokens} table`}>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row" title={row.agent}>
                  {browserOf(row.agent)} {row.is_this && <Chip>this browser</Chip>}
                </th>
                <td>since {date(row.began_at)}</td>
                <td>
                  {!row.is_this && (
                    <Button
                      small
                      look="danger"
                      disabled={end.isPending}
                      onClick={() => end.mutate(row.id)}
                    >
                      Sign out
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </QueryState>
    </Panel>
  );
}
