import { useQuery } from '@tanstack/react-query';
import { Chip } from '../../../components/chip';
import { QueryState } from '../../../components/query-state';
import { date } from '../../../lib/format';
import { words } from '../../../lib/schema';
import { useSession } from '../../../lib/session';
import { membersQueryOptions } from '../api/account';
import styles from './settings.module.css';

/** Who belongs to the workspace. */
export function Members() {
  const session = useSession();
  const members = useQuery(membersQueryOptions);
  return (
    <section className={styles.panel} aria-labelledby="members-title">
      <div>
        <h2 id="members-title">Members</h2>
        <p className="muted">Who sees and changes what is in {session?.workspace.name}.</p>
      </div>
      <QueryState query={members} minHeight={56}>
        {(page) => (
          <div className={styles.tokens} tabIndex={0} role="region" aria-label="All members">
            <table>
              <thead>
                <tr>
                  <th scope="col">Member</th>
                  <th scope="col">Role</th>
                  <th scope="col">Since</th>
                </tr>
              </thead>
              <tbody>
                {page.results.map((member) => (
                  <tr key={member.id}>
                    <th scope="row">
                      {member.email} {member.email === session?.user.email && <Chip>you</Chip>}
                    </th>
                    <td>{words(member.role)}</td>
                    <td>{date(member.created_at)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </QueryState>
    </section>
  );
}
