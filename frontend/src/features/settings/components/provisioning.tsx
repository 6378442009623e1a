import { useQuery } from '@tanstack/react-query';
import { Fault } from '../../../components/fault';
import { Select } from '../../../components/control';
import { Panel } from '../../../components/panel';
import { QueryState } from '../../../components/query-state';
import { Table } from '../../../components/table';
import { ROLE_CHOICES } from '../../../lib/roles';
import type { MemberGroup } from '../../../lib/types';
import { groupsQueryOptions, useGroupRole } from '../api/people';
import styles from './settings.module.css';

const CHOICES = [{ value: '', label: 'No role' }, ...ROLE_CHOICES];

function GroupRow({ group }: { group: MemberGroup }) {
  const change = useGroupRole();
  return (
    <tr>
      <th scope="row">
        {group.display_name}
        <Fault of={change} />
      </th>
      <td>
        <Select
          aria-label={`Role of the group ${group.display_name}`}
          choices={CHOICES}
          value={group.role}
          disabled={change.isPending}
          onChange={(event) =>
            change.mutate({ group_id: group.id, role: event.target.value as MemberGroup['role'] })
          }
        />
      </td>
    </tr>
  );
}

/** How an identity provider adds and removes members by itself, and the roles of its groups. */
export function Provisioning() {
  const groups = useQuery(groupsQueryOptions);
  return (
    <Panel
      id="provisioning"
      title="Provisioning"
      about={
        <>
          An identity provider (Okta, Entra ID and others) adds and removes members by SCIM 2.0.
          Enter <code>{location.origin}/api/v1/scim/v2</code> there, with an API token that has the
          scope provision.
        </>
      }
    >
      <QueryState query={groups} minHeight={40} empty="The provider has sent no groups yet.">
        {(page) => (
          <Table
            label="Groups of the identity provider"
            className={`${styles.tokens} table`}
            heads={['Group', 'Role of its members']}
          >
            {page.results.map((group) => (
              <GroupRow key={group.id} group={group} />
            ))}
          </Table>
        )}
      </QueryState>
    </Panel>
  );
}
