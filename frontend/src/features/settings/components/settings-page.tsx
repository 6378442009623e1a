import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Chip } from '../../../components/chip';
import { Segments } from '../../../components/control';
import { Panel } from '../../../components/panel';
import { QueryState } from '../../../components/query-state';
import { Table } from '../../../components/table';
import { date } from '../../../lib/format';
import { useMayEdit, useSession } from '../../../lib/session';
import { numberFormatQueryOptions, useChooseNumberFormat } from '../../../lib/number-format';
import { numberMark, type NumberFormat } from '../../../lib/typed-number';
import { chooseTheme, useThemeChoice, type ThemeChoice } from '../../../lib/theme';
import type { Token } from '../../../lib/types';
import { tokensQueryOptions, useRevokeToken } from '../api/tokens';
import { Archives } from './archives';
import { Deletions } from './deletion';
import { Email } from './email';
import { MailedEvents } from './events';
import { Members } from './members';
import { NewToken } from './new-token';
import { Packs } from './packs';
import { Password } from './password';
import { Provisioning } from './provisioning';
import { Sessions } from './sessions';
import styles from './settings.module.css';
import { TwoStep } from './two-step';
import { Usage } from './usage';
import { Webhooks } from './webhooks';
import { WorkspacePanel } from './workspace';

const NUMBERS: { value: NumberFormat; label: string }[] = [
  { value: '', label: 'As the browser' },
  { value: 'point', label: 'Decimal point' },
  { value: 'comma', label: 'Decimal comma' },
];
const THEMES: { value: ThemeChoice; label: string }[] = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/**
 * What decides a number that could be read in two ways; it is the browser's until one chooses.
 * Results are written one way for everybody: they are shared, printed and compared.
 */
function Numbers() {
  const format = useQuery(numberFormatQueryOptions);
  const choose = useChooseNumberFormat();
  const own = numberMark() === ',' ? '1 234,5' : '1,234.5';
  return (
    <div className="stack">
      <div className="line apart gap-8-16">
        <span>
          Numbers that you type <span className="muted small">now {own}</span>
        </span>
        <Segments
          label="Numbers that you type"
          value={format.data ?? ''}
          choices={NUMBERS}
          onChange={(value) => choose.mutate(value as NumberFormat)}
        />
      </div>
      <p className="muted small">
        Fields take and show numbers so. Results, charts and reports have 1,234.5 for everybody, so
        that all who share a study read the same.
      </p>
    </div>
  );
}

function TokenRow({ token, now }: { token: Token; now: string }) {
  const revoke = useRevokeToken();
  const isOver = token.expires_at !== null && token.expires_at < now;
  return (
    <tr>
      <th scope="row">
        {token.title} <code className="muted">{token.prefix}…</code>
      </th>
      <td>
        {token.scopes.map((scope) => (
          <span key={scope}>
            <Chip>{scope}</Chip>{' '}
          </span>
        ))}
      </td>
      <td>{date(token.created_at)}</td>
      <td>{token.last_used_at ? date(token.last_used_at) : 'never'}</td>
      <td>
        {isOver ? (
          <Chip tone="bad">ended</Chip>
        ) : token.expires_at ? (
          date(token.expires_at)
        ) : (
          'never'
        )}
      </td>
      <td>
        <Button
          small
          look="danger"
          disabled={revoke.isPending}
          ask={`Revoke the token "${token.title}"? What uses it stops working.`}
          onClick={() => revoke.mutate(token.id)}
        >
          Revoke
        </Button>
      </td>
    </tr>
  );
}

function Tokens() {
  const mayEdit = useMayEdit();
  const tokens = useQuery(tokensQueryOptions);
  const [now] = useState(() => new Date().toISOString());
  return (
    <Panel
      id="tokens"
      title="API tokens"
      about={
        <>
          For scripts and other programs, sent as <code>Authorization: Bearer …</code>. The{' '}
          <a href="/api/docs/">API reference</a> says what can be asked.
        </>
      }
    >
      {mayEdit && <NewToken />}
      <QueryState query={tokens} minHeight={80} empty="There are no tokens.">
        {(page) => (
          <Table
            label="Tokens in use"
            className={`${styles.tokens} table`}
            heads={['Token', 'May', 'Created', 'Last used', 'Ends']}
            acts
          >
            {page.results.map((token) => (
              <TokenRow key={token.id} token={token} now={now} />
            ))}
          </Table>
        )}
      </QueryState>
    </Panel>
  );
}

/** `onSignOut` comes from the session, which is another feature's. */
export function SettingsPage({ onSignOut }: { onSignOut: () => void }) {
  const session = useSession();
  const theme = useThemeChoice();
  return (
    <main className="page">
      <div className={styles.page}>
        <h1>Settings</h1>
        <Panel
          id="account"
          title="Account"
          about={session?.user.email}
          actions={<Button onClick={onSignOut}>Sign out</Button>}
        >
          <Email />
          <MailedEvents />
          <Numbers />
          <div className="line apart gap-8-16">
            <span>Theme</span>
            <Segments
              label="Theme"
              value={theme}
              choices={THEMES}
              onChange={(value) => chooseTheme(value as ThemeChoice)}
            />
          </div>
        </Panel>
        {session && <WorkspacePanel session={session} />}
        {session && <Packs mayChange={session.workspace.role === 'owner'} />}
        <Usage />
        <Members />
        {session?.workspace.role === 'owner' && <Provisioning />}
        <Password />
        <TwoStep />
        <Sessions />
        <Tokens />
        {session?.workspace.role === 'owner' && <Webhooks />}
        {session?.workspace.role === 'owner' && <Archives />}
        {session && <Deletions session={session} />}
        <p>
          <Link to="/audit">What was done here, by whom</Link>
        </p>
      </div>
    </main>
  );
}
