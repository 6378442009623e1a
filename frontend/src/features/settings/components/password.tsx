import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Form } from '../../../components/form';
import { Panel } from '../../../components/panel';
import { QueryState } from '../../../components/query-state';
import { messageOf, Problem } from '../../../lib/problem';
import type { PasswordState } from '../../../lib/types';
import { passwordQueryOptions, useChangePassword } from '../api/account';
import { SecretField } from './secret-field';
import styles from './settings.module.css';

function PasswordForm({ state }: { state: PasswordState }) {
  const [old, setOld] = useState('');
  const [fresh, setFresh] = useState('');
  const change = useChangePassword();
  const faults = change.error instanceof Problem ? change.error.faults : [];
  const at = (pointer: string) => faults.filter((fault) => fault.pointer === pointer);
  const submit = () => {
    const done = () => {
      setOld('');
      setFresh('');
    };
    change.mutate({ ...(state.is_set && { old }), new: fresh }, { onSuccess: done });
  };
  return (
    <Form className={styles.password} onSend={submit}>
      {state.is_set && (
        <SecretField
          id="password-old"
          label="Password now"
          autoComplete="current-password"
          value={old}
          faults={at('/old')}
          onChange={setOld}
        />
      )}
      <SecretField
        id="password-new"
        label="New password"
        autoComplete="new-password"
        value={fresh}
        faults={at('/new')}
        onChange={setFresh}
      />
      <Button
        type="submit"
        look="primary"
        disabled={change.isPending || fresh === '' || (state.is_set && old === '')}
      >
        {state.is_set ? 'Change the password' : 'Set the password'}
      </Button>
      {change.isSuccess && (
        <p role="status">The password is set. Other browsers have been signed out.</p>
      )}
      {change.isError && faults.length === 0 && (
        <p className="fault" role="alert">
          {messageOf(change.error)}
        </p>
      )}
    </Form>
  );
}

/** Changing one's password, or setting the first one. */
export function Password() {
  const password = useQuery(passwordQueryOptions);
  return (
    <Panel id="password" title="Password">
      <QueryState query={password} minHeight={64}>
        {(state) =>
          state.may_set ? (
            <>
              {!state.is_set && (
                <p className="muted">
                  You signed in by a link. With a password you can sign in without one.
                </p>
              )}
              <PasswordForm state={state} />
            </>
          ) : (
            <p className="muted">
              No password is set. To set one, sign in with a new link and come here within 15
              minutes.
            </p>
          )
        }
      </QueryState>
    </Panel>
  );
}
