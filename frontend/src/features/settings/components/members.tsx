import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../components/button';
import { Chip } from '../../../components/chip';
import { Select } from '../../../components/control';
import { Panel } from '../../../components/panel';
import { QueryState } from '../../../components/query-state';
import { Table } from '../../../components/table';
import { ROLES, ROLE_CHOICES } from '../../../lib/roles';
import { date } from '../../../lib/format';
import { messageOf } from '../../../lib/problem';
import { words } from '../../../lib/schema';
import { useSession } from '../../../lib/session';
import type { Member, Role } from '../../../lib/types';
import { membersQueryOptions, useChangeRole, useRemoveMember } from '../api/people';
import { Invitations } from './invitations';
import styles from './settings.module.css';

function MemberRow({ member, isOwner, isMe }: { member: Member; isOwner: boolean; isMe: boolean }) {
  const change = useChangeRole();
  const remove = useRemoveMember();
  const failed = change.error ?? remove.error;
  return (
    <tr>
      <th scope="row">
        {member.email} {isMe && <Chip>you</Chip>}{' '}
        {member.by_group && (
          <Chip title="A group of the sign-in provider gave the role; it goes with the group.">
            by group
          </Chip>
        )}
        {failed && (
          <p className="fault" role="alert">
            {messageOf(failed)}
          </p>
        )}
      </th>
      <td>
        {isOwner ? (
          <Select
            aria-label={`Role of ${member.email}`}
            choices={ROLE_CHOICES}
            value={member.role}
            disabled={change.isPending}
            onChange={(event) =>
              change.mutate({ member_id: member.id, role: event.target.value as Role })
            }
          />
        ) : (
          words(member.role)
        )}
      </td>
      <td>{date(member.created_at)}</td>
      <td>
        {isOwner && !isMe && (
          <Button
            small
            look="danger"
            disabled={remove.isPending}
            ask={`Remove ${member.email}? Their API tokens stop working.`}
            onClick={() => remove.mutate(member.id)}
          >
            Remove
          </Button>
        )}
      </td>
    </tr>
  );
}

/** Who belongs to the workspace; an owner changes that. */
export function Members() {
  const session = useSession();
  const members = useQuery(membersQueryOptions);
  const isOwner = session?.workspace.role === 'owner';
  return (
    <Panel
      id="members"
      title="Members"
      about={
        <>
          {Object.values(ROLES)
            .map(({ does }) => does)
            .join(' ')}
        </>
      }
    >
      <QueryState query={members} minHeight={56}>
        {(page) => (
          <Table
            label="All members"
            className={`${styles.tokens} table`}
            heads={['Member', 'Role', 'Since']}
            acts
          >
            {page.results.map((member) => (
              <MemberRow
                key={member.id}
                member={member}
                isOwner={isOwner}
                isMe={member.email === session?.user.email}
              />
            ))}
          </Table>
        )}
      </QueryState>
      {isOwner && <Invitations />}
    </Panel>
  );
}
