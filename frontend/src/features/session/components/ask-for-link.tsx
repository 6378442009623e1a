import { useState } from 'react';
import { Button } from '../../../components/button';
import { Form } from '../../../components/form';
import { useAskForLink, type Asked } from '../api/mailed';
import { DoorFault, DoorField } from './door';
import styles from './sign-in.module.css';

const WORDS: Record<Asked, { title: string; about: string; done: string }> = {
  sign_up: {
    title: 'Create an account',
    about: 'We mail you a link to begin with.',
    done: 'A link is on its way to this address. It works once, for a day.',
  },
  reset: {
    title: 'Forgot your password?',
    about: 'We mail you a link to choose a new one.',
    done: 'If there is an account with this address, a link is on its way. It works once, for an hour.',
  },
};

/** Asks for a link by mail. */
export function AskForLink({ what, onBack }: { what: Asked; onBack: () => void }) {
  const [email, setEmail] = useState('');
  const ask = useAskForLink();
  const submit = () => ask.mutate({ what, email });
  const { title, about, done } = WORDS[what];
  return (
    <>
      <div>
        <h1>{title}</h1>
        <p className="muted" role={ask.isSuccess ? 'status' : undefined}>
          {ask.isSuccess ? done : about}
        </p>
      </div>
      <Form className={`${styles.form} stack gap-12`} onSend={submit}>
        {!ask.isSuccess && (
          <>
            <DoorField label="Email" autoComplete="username" value={email} onChange={setEmail} />
            {ask.isError && <DoorFault error={ask.error} />}
            <Button type="submit" look="primary" disabled={ask.isPending}>
              Mail me a link
            </Button>
          </>
        )}
        <Button look="quiet" onClick={onBack}>
          Back to sign in
        </Button>
      </Form>
    </>
  );
}
