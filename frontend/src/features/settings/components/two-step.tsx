import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Chip } from '../../../components/chip';
import { Form } from '../../../components/form';
import { Panel } from '../../../components/panel';
import { QueryState } from '../../../components/query-state';
import { messageOf, Problem } from '../../../lib/problem';
import {
  twoStepQueryOptions,
  useBeginTwoStep,
  useConfirmTwoStep,
  useEndTwoStep,
  useRenewRecovery,
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

function On({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const end = useEndTwoStep();
  const renew = useRenewRecovery();
  const error = end.error ?? renew.error;
  const isReady = password !== '' && code !== '' && !end.isPending && !renew.isPending;
  const given = { password, code };
  const submit = () => {
    end.reset();
    renew.mutate(given, { onSuccess: onCodes });
  };
  const turnOff = () => {
    renew.reset();
    end.mutate(given);
  };
  return (
    <Form className={styles.password} onSend={submit}>
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
        value={code}
        faults={faultsOf(error, '/code')}
        onChange={setCode}
      />
      <div className="line gap-8">
        <Button type="submit" disabled={!isReady}>
          New recovery codes
        </Button>
        <Button look="danger" disabled={!isReady} onClick={turnOff}>
          Turn off
        </Button>
      </div>
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
          A code of an authenticator app, asked for after your password.{' '}
          {state.data?.is_on && ` Recovery codes left: ${state.data.recovery_left}.`}
        </>
      }
    >
      <QueryState query={state} minHeight={64}>
        {({ is_on, has_password }) =>
          codes ? (
            <Recovery codes={codes} onDone={() => setCodes(null)} />
          ) : is_on ? (
            <On onCodes={setCodes} />
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
