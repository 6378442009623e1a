import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Form } from '../../../components/form';
import { Bone } from '../../../components/query-state';
import { ROLES } from '../../../lib/roles';
import { date } from '../../../lib/format';
import { useSession } from '../../../lib/session';
import type { InvitationLook } from '../../../lib/types';
import { useInvitation, useJoin } from '../api/join';
import { Door, DoorFault, DoorField } from './door';
import styles from './sign-in.module.css';

function NewAccount({ token, look }: { token: string; look: InvitationLook }) {
  const navigate = useNavigate();
  const join = useJoin();
  const [email, setEmail] = useState(look.email);
  const [password, setPassword] = useState('');
  const submit = () =>
    join.mutate({ token, email, password }, { onSuccess: () => navigate({ to: '/' }) });
  return (
    <Form className={`${styles.form} stack gap-12`} onSend={submit}>
      <DoorField
        label="Email"
        autoComplete="username"
        readOnly={look.email !== ''}
        value={email}
        onChange={setEmail}
      />
      <DoorField
        label="New password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
      />
      {join.isError && <DoorFault error={join.error} />}
      <Button type="submit" look="primary" disabled={join.isPending}>
        Create an account and join
      </Button>
      <p className="muted">
        You have an account? <a href="/">Sign in</a>, then open this link again.
      </p>
    </Form>
  );
}

function JoinSignedIn({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate();
  const join = useJoin();
  return (
    <>
      {join.isError && <DoorFault error={join.error} />}
      <Button
        look="primary"
        disabled={join.isPending}
        onClick={() => join.mutate({ token }, { onSuccess: () => navigate({ to: '/' }) })}
      >
        Join as {email}
      </Button>
    </>
  );
}

/** Where a link of invitation leads. */
export function JoinPage() {
  const [token] = useState(() => location.hash.replace(/^#/, ''));
  const session = useSession();
  const look = useInvitation(token);
  if (look.isError) {
    return (
      <Door>
        <div>
          <h1>This invitation is over</h1>
          <p className="muted">
            It was used, withdrawn, or is older than 14 days. Ask who sent it for a new one.
          </p>
        </div>
        <a href="/">To the studies</a>
      </Door>
    );
  }
  if (!look.data) {
    return (
      <Door>
        <Bone width={240} height={64} />
      </Door>
    );
  }
  const { workspace_name, invited_by, role, expires_at } = look.data;
  return (
    <Door>
      <div>
        <h1>Join {workspace_name}</h1>
        <p className="muted">
          {invited_by} invites you as {ROLES[role].named}. The invitation works once, until{' '}
          {date(expires_at)}.
        </p>
      </div>
      {session ? (
        <JoinSignedIn token={token} email={session.user.email} />
      ) : (
        <NewAccount token={token} look={look.data} />
      )}
    </Door>
  );
}
