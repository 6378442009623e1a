import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Form } from '../../../components/form';
import { Bone } from '../../../components/query-state';
import type { MailedLook } from '../../../lib/types';
import { useMailed, useMailedLook } from '../api/mailed';
import { CodeField, Door, DoorFault, DoorField } from './door';
import styles from './sign-in.module.css';

const WORDS: Record<MailedLook['purpose'], { title: string; button: string }> = {
  sign_up: { title: 'Welcome', button: 'Create the account' },
  reset: { title: 'Choose a new password', button: 'Save and sign in' },
  verify: { title: 'Is this your address?', button: 'Yes, confirm it' },
};

function Use({ token, look }: { token: string; look: MailedLook }) {
  const navigate = useNavigate();
  const mailed = useMailed();
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState('');
  const submit = () => {
    const given = look.purpose === 'verify' ? { token } : { token, password };
    mailed.mutate(
      { ...given, ...(look.needs_code && { otp }) },
      { onSuccess: () => navigate({ to: '/' }) },
    );
  };
  const { title, button } = WORDS[look.purpose];
  return (
    <>
      <div>
        <h1>{title}</h1>
        <p className="muted">{look.email}</p>
      </div>
      <Form className={`${styles.form} stack gap-12`} onSend={submit}>
        {look.purpose !== 'verify' && (
          <>
            <input type="hidden" autoComplete="username" value={look.email} readOnly />
            <DoorField
              label="New password"
              autoComplete="new-password"
              value={password}
              onChange={setPassword}
            />
          </>
        )}
        {look.needs_code && <CodeField value={otp} onChange={setOtp} />}
        {mailed.isError && <DoorFault error={mailed.error} />}
        <Button type="submit" look="primary" disabled={mailed.isPending}>
          {button}
        </Button>
      </Form>
    </>
  );
}

/** Where a link that was mailed leads: an account, a new password, an address confirmed. */
export function WelcomePage() {
  const [token] = useState(() => location.hash.replace(/^#/, ''));
  const look = useMailedLook(token);
  return (
    <Door>
      {look.data && <Use token={token} look={look.data} />}
      {look.isPending && <Bone width={240} height={64} />}
      {look.isError && (
        <>
          <div>
            <h1>This link is over</h1>
            <p className="muted">It was used, or is too old. Ask for a new one.</p>
          </div>
          <a href="/">To sign in</a>
        </>
      )}
    </Door>
  );
}
