import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { TextInput } from '../../../components/control';
import { Fault } from '../../../components/fault';
import { Form } from '../../../components/form';
import { Panel } from '../../../components/panel';
import { QueryState } from '../../../components/query-state';
import { date } from '../../../lib/format';
import type { Deletion, Session } from '../../../lib/types';
import { lengthOf } from '../../../lib/lengths';
import {
  useAccountDeletion,
  useDeleteAccount,
  useDeleteWorkspace,
  useWorkspaceDeletion,
} from '../api/deletion';
import styles from './settings.module.css';

interface Props {
  what: 'workspace' | 'account';
  name: string;
  says: string;
  may: boolean;
  query: UseQueryResult<Deletion>;
  change: UseMutationResult<void, Error, string | null>;
}

/** Deleting something by typing what it is called; until its day comes it can be kept. */
function Delete({ what, name, says, may, query, change }: Props) {
  const [typed, setTyped] = useState('');
  const submit = () => change.mutate(typed.trim(), { onSuccess: () => setTyped('') });
  return (
    <QueryState query={query} minHeight={60}>
      {(found) => (
        <>
          {found.deletes_at !== null ? (
            <div className="line apart gap-8-16">
              <p role="status">
                {what === 'workspace' ? name : 'Your account'} will be deleted on{' '}
                {date(found.deletes_at)}.
              </p>
              {may && (
                <Button disabled={change.isPending} onClick={() => change.mutate(null)}>
                  Keep the {what}
                </Button>
              )}
            </div>
          ) : (
            may && (
              <Form className={styles.password} onSend={submit}>
                <p className="muted">
                  {says} It can be kept until {found.grace_days} days have passed.
                </p>
                <label className="field">
                  <span className="muted small">Type {name} to confirm</span>
                  <TextInput
                    required
                    maxLength={lengthOf('AccountDeletionInput.email')}
                    autoComplete="off"
                    value={typed}
                    onChange={(event) => setTyped(event.target.value)}
                  />
                </label>
                <Button
                  type="submit"
                  look="danger"
                  disabled={change.isPending || typed.trim() !== name}
                >
                  Delete the {what}
                </Button>
              </Form>
            )
          )}
          <Fault of={change} />
        </>
      )}
    </QueryState>
  );
}

/** The end of the workspace, and of one's own account. */
export function Deletions({ session }: { session: Session }) {
  const { id, name, role } = session.workspace;
  return (
    <Panel id="deletion" title="Delete">
      <Delete
        what="workspace"
        name={name}
        says="Everything in the workspace goes, for all members; they are told by mail. Export it first to keep it."
        may={role === 'owner'}
        query={useWorkspaceDeletion(id)}
        change={useDeleteWorkspace(id)}
      />
      <Delete
        what="account"
        name={session.user.email}
        says="Workspaces that you are alone in go with your account; elsewhere your name becomes “a former member”."
        may
        query={useAccountDeletion()}
        change={useDeleteAccount()}
      />
    </Panel>
  );
}
