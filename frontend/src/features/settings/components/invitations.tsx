import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Select } from '../../../components/control';
import { Fault } from '../../../components/fault';
import { Form } from '../../../components/form';
import { SecretLine } from '../../../components/secret-line';
import { Table } from '../../../components/table';
import { TextField } from '../../../components/text-field';
import { ROLE_CHOICES } from '../../../lib/roles';
import { date } from '../../../lib/format';
import { words } from '../../../lib/schema';
import type { Role } from '../../../lib/types';
import { lengthOf } from '../../../lib/lengths';
import { invitationsQueryOptions, useInvite, useWithdraw } from '../api/people';
import styles from './settings.module.css';

function Invite() {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const invite = useInvite();
  const submit = () =>
    invite.mutate({ role, email: email.trim() }, { onSuccess: () => setEmail('') });
  if (invite.data) {
    return (
      <SecretLine
        title={`${
          invite.data.mailed
            ? `A link is on its way to ${invite.data.email}. Or hand over this one:`
            : `Send this link to ${invite.data.email || 'the person you invite'}.`
        } It is shown this once, and works once until ${date(invite.data.expires_at)}.`}
        secret={invite.data.link}
        onDone={() => invite.reset()}
      />
    );
  }
  return (
    <Form className={styles.form} onSend={submit}>
      <TextField
        label="Invite (email, optional)"
        type="email"
        maxLength={lengthOf('AddressInput.email')}
        placeholder="Whoever has the link"
        value={email}
        onText={setEmail}
      />
      <label>
        <span className="muted small">As</span>
        <Select
          choices={ROLE_CHOICES}
          value={role}
          onChange={(event) => setRole(event.target.value as Role)}
        />
      </label>
      <Button type="submit" look="primary" disabled={invite.isPending}>
        Invite
      </Button>
      <Fault of={invite} />
    </Form>
  );
}

/** Inviting, and the invitations that nobody has taken yet. */
export function Invitations() {
  const invitations = useQuery(invitationsQueryOptions);
  const withdraw = useWithdraw();
  const rows = invitations.data?.results ?? [];
  return (
    <>
      <Invite />
      {rows.length > 0 && (
        <Table
          label="Open invitations"
          className={`${styles.tokens} table`}
          heads={['Invited', 'As', 'By', 'Until']}
          acts
        >
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">{row.email || 'whoever has the link'}</th>
              <td>{words(row.role)}</td>
              <td>{row.invited_by}</td>
              <td>{date(row.expires_at)}</td>
              <td>
                <Button
                  small
                  look="danger"
                  disabled={withdraw.isPending}
                  onClick={() => withdraw.mutate(row.id)}
                >
                  Withdraw
                </Button>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
