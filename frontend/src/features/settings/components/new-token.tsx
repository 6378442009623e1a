import { useState } from 'react';
import { Button } from '../../../components/button';
import { Select } from '../../../components/control';
import { Fault } from '../../../components/fault';
import { Form } from '../../../components/form';
import { SecretLine } from '../../../components/secret-line';
import { TextField } from '../../../components/text-field';
import type { Scope } from '../../../lib/types';
import { lengthOf } from '../../../lib/lengths';
import { useCreateToken } from '../api/tokens';
import styles from './settings.module.css';

const SCOPES: { scope: Scope; meaning: string }[] = [
  { scope: 'read', meaning: 'See studies, the catalogue and results' },
  { scope: 'write', meaning: 'Change studies' },
  { scope: 'run', meaning: 'Evaluate, run and make reports' },
  { scope: 'manage', meaning: 'Webhooks, archives and invitations, where an owner makes it' },
  { scope: 'provision', meaning: 'Add and remove members by SCIM, where an owner makes it' },
];

const DAYS = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
];

const DAY_MS = 86_400_000;

export function NewToken() {
  const [title, setTitle] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(['read']);
  const [days, setDays] = useState('90');
  const create = useCreateToken();
  // A token that provisions does nothing else.
  const toggle = (scope: Scope) => {
    const beside = scopes.filter((held) => (held === 'provision') === (scope === 'provision'));
    setScopes(
      scopes.includes(scope) ? beside.filter((held) => held !== scope) : [...beside, scope],
    );
  };
  const submit = () => {
    const expires_at = new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    create.mutate({ title: title.trim(), scopes, expires_at }, { onSuccess: () => setTitle('') });
  };
  if (create.data) {
    return (
      <SecretLine
        title={`${create.data.title}: copy the token now. It is shown this once.`}
        secret={create.data.token}
        onDone={() => create.reset()}
      />
    );
  }
  return (
    <Form className={styles.form} onSend={submit}>
      <TextField
        label="Name"
        required
        maxLength={lengthOf('TokenCreateInput.title')}
        placeholder="What it is for"
        value={title}
        onText={setTitle}
      />
      <fieldset className={styles.group}>
        <legend className="muted small">May</legend>
        <div className={styles.scopes}>
          {SCOPES.map(({ scope, meaning }) => (
            <label key={scope} title={meaning}>
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={() => toggle(scope)}
              />
              {scope}
            </label>
          ))}
        </div>
      </fieldset>
      <label>
        <span className="muted small">Ends after</span>
        <Select choices={DAYS} value={days} onChange={(event) => setDays(event.target.value)} />
      </label>
      <Button
        type="submit"
        look="primary"
        disabled={create.isPending || scopes.length === 0 || title.trim() === ''}
      >
        Create
      </Button>
      <Fault of={create} />
    </Form>
  );
}
