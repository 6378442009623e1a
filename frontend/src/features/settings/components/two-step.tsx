import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Chip } from '../../../components/chip';
import { TextInput } from '../../../components/control';
import { Form } from '../../../components/form';
import { Panel } from '../../../components/panel';
import { QueryState } from '../../../components/query-state';
import { Table } from '../../../components/table';
import { date } from '../../../lib/format';
import { lengthOf } from '../../../lib/lengths';
import { messageOf, Problem } from '../../../lib/problem';
import { hasKeys } from '../../../lib/security-keys';
import {
  twoStepQueryOptions,
  useAddKey,
  useBeginTwoStep,
  useConfirmTwoStep,
  useEndTwoStep,
  useKeyCode,
  useRemoveKey,
  useRenewRecovery,
  type SecurityKey,
  type TwoStepBegun,
} from '../api/two-step';
import { SecretField } from './secret-field';
import styles from './settings.module.css';
import own from './two-step.module.css';

const faultsOf = (error: unknown, pointer: string) =>
  error instanceof Problem ? error.faults.filter((fault) => fault.pointer === pointer) : [];

function Refusal({ error }: { error: unknown }) {
  if (!error || (error instanceof Problem && error.faults.length > 0)) return null;
  return (
    <p className="fault" role="alert">
      {messageOf(error)}
    </p>
  );
}

function Recovery({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <div className={own.recovery} role="status">
      <p>
        Keep these recovery codes where you find them without your phone. Each lets you in once
        instead of a code. They are shown this once.
      </p>
      <ul className={own.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Button onClick={onDone}>I have kept them</Button>
    </div>
  );
}

function Confirm({ begun, onCodes }: { begun: TwoStepBegun; onCodes: (codes: string[]) => void }) {
  const [code, setCode] = useState('');
  const confirm = useConfirmTwoStep();
  const submit = () => confirm.mutate(code, { onSuccess: onCodes });
  return (
    <div className={`${own.confirm} flow gap-20 top`}>
      <img src={begun.picture} alt="QR code for an authenticator app" width={196} height={196} />
      <Form className={own.form} onSend={submit}>
        <p>
          Scan this with an authenticator app, or type the secret into it:{' '}
          <code className="anywhere">{begun.secret}</code>
        </p>
        <SecretField
          id="two-step-first"
          label="Code that the app shows"
          type="text"
          autoComplete="one-time-code"
          value={code}
          faults={faultsOf(confirm.error, '/code')}
          onChange={setCode}
        />
        <Refusal error={confirm.error} />
        <Button type="submit" look="primary" disabled={confirm.isPending || code === ''}>
          Turn on
        </Button>
      </Form>
    </div>
  );
}

function Off({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const [begun, setBegun] = useState<TwoStepBegun | null>(null);
  const [password, setPassword] = useState('');
  const begin = useBeginTwoStep();
  if (begun) return <Confirm begun={begun} onCodes={onCodes} />;
  const submit = () => begin.mutate(password, { onSuccess: setBegun });
  return (
    <Form className={styles.password} onSend={submit}>
      <SecretField
        id="two-step-password"
        label="Your password"
        autoComplete="current-password"
        value={password}
        faults={faultsOf(begin.error, '/password')}
        onChange={setPassword}
      />
      <Button type="submit" look="primary" disabled={begin.isPending || password === ''}>
        Set up
      </Button>
      <Refusal error={begin.error} />
    </Form>
  );
}

/** What a key answered is no text to read: it stands as given. */
const isOfKey = (code: string) => code.startsWith('{');

interface OnProps {
  keys: readonly SecurityKey[];
  onCodes: (codes: string[]) => void;
}

function On({ keys, onCodes }: OnProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [title, setTitle] = useState('');
  const actions = {
    end: useEndTwoStep(),
    renew: useRenewRecovery(),
    add: useAddKey(),
    remove: useRemoveKey(),
    ask: useKeyCode(),
  };
  const { end, renew, add, remove, ask } = actions;
  const all = Object.values(actions);
  const error = all.map((one) => one.error).find(Boolean);
  const isReady = password !== '' && code !== '' && !all.some((one) => one.isPending);
  const given = { password, code };
  const once = (act: () => void) => () => {
    for (const one of all) one.reset();
    act();
    // A code is good once.
    setCode('');
  };
  const submit = once(() => renew.mutate(given, { onSuccess: onCodes }));
  return (
    <Form className="stack gap-16" onSend={submit}>
      <div className={styles.password}>
        <SecretField
          id="two-step-password"
          label="Your password"
          autoComplete="current-password"
          value={password}
          faults={faultsOf(error, '/password')}
          onChange={setPassword}
        />
        <SecretField
          id="two-step-code"
          label="Code, or a recovery code"
          type="text"
          autoComplete="one-time-code"
          value={isOfKey(code) ? 'answered by your key' : code}
          faults={faultsOf(error, '/code')}
          onChange={setCode}
        />
        {keys.length > 0 && hasKeys() && (
          <Button
            disabled={ask.isPending}
            onClick={() => ask.mutate(undefined, { onSuccess: setCode })}
          >
            Use a key instead of a code
          </Button>
        )}
      </div>
      <div className="line gap-8">
        <Button type="submit" disabled={!isReady}>
          New recovery codes
        </Button>
        <Button look="danger" disabled={!isReady} onClick={once(() => end.mutate(given))}>
          Turn off
        </Button>
      </div>
      <section aria-labelledby="security-keys" className="stack gap-8">
        <h3 id="security-keys">Security keys and passkeys</h3>
        <p className="muted">
          A key answers in place of a code, and to this service alone: no other page can ask for
          what it says.
        </p>
        {keys.length > 0 && (
          <Table label="Security keys" className={`${styles.tokens} table`}>
            {keys.map((key) => (
              <tr key={key.id}>
                <th scope="row">{key.title}</th>
                <td>added {date(key.created_at)}</td>
                <td>{key.last_used_at ? `last used ${date(key.last_used_at)}` : 'not used yet'}</td>
                <td>
                  <Button
                    small
                    look="danger"
                    disabled={!isReady}
                    onClick={once(() => remove.mutate({ ...given, key: key.id }))}
                  >
                    Remove<span className="visually-hidden"> {key.title}</span>
                  </Button>
                </td>
              </tr>
            ))}
          </Table>
        )}
        {hasKeys() ? (
          <div className={styles.password}>
            <label className="stack gap-4">
              Name of a new key
              <TextInput
                maxLength={lengthOf('SecurityKeyConfirmInput.title')}
                value={title}
                onChange={(event) => setTitle(event.target.value)}
              />
            </label>
            <Button
              disabled={!isReady || title.trim() === ''}
              onClick={once(() =>
                add.mutate({ ...given, title: title.trim() }, { onSuccess: () => setTitle('') }),
              )}
            >
              Add a key
            </Button>
          </div>
        ) : (
          <p className="muted">This browser has no security keys.</p>
        )}
        <p className="muted small">Each of these asks for your password and a code above.</p>
      </section>
      <Refusal error={error} />
    </Form>
  );
}

/** One-time codes of an authenticator, asked for after the password. */
export function TwoStep() {
  const state = useQuery(twoStepQueryOptions);
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <Panel
      id="two-step"
      title={<>One-time codes {state.data?.is_on && <Chip tone="good">on</Chip>}</>}
      about={
        <>
          A code of an authenticator app, or a security key, asked for after your password.{' '}
          {state.data?.is_on && ` Recovery codes left: ${state.data.recovery_left}.`}
        </>
      }
    >
      <QueryState query={state} minHeight={64}>
        {({ is_on, has_password, keys }) =>
          codes ? (
            <Recovery codes={codes} onDone={() => setCodes(null)} />
          ) : is_on ? (
            <On keys={keys} onCodes={setCodes} />
          ) : has_password ? (
            <Off onCodes={setCodes} />
          ) : (
            <p className="muted">Set a password first: the code is asked for after it.</p>
          )
        }
      </QueryState>
    </Panel>
  );
}
