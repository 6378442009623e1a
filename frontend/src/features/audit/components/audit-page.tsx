import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Button, buttonClass } from '../../../components/button';
import { Chip } from '../../../components/chip';
import { Select, TextInput } from '../../../components/control';
import { Icon } from '../../../components/icon';
import { Failed, Loading } from '../../../components/query-state';
import { Table } from '../../../components/table';
import { dateTime } from '../../../lib/format';
import type { AuditEntry, AuditKind } from '../../../lib/types';
import { auditCsv, auditQueryOptions, type AuditFilter } from '../api/audit';
import styles from './audit.module.css';

const KINDS: { value: AuditKind | ''; label: string }[] = [
  { value: '', label: 'Everything' },
  { value: 'session', label: 'Sign-ins' },
  { value: 'study', label: 'Studies' },
  { value: 'design', label: 'Designs' },
  { value: 'run', label: 'Runs' },
  { value: 'report', label: 'Reports' },
  { value: 'share', label: 'Links' },
  { value: 'comment', label: 'Comments' },
  { value: 'member', label: 'Members' },
  { value: 'invitation', label: 'Invitations' },
  { value: 'token', label: 'Tokens' },
  { value: 'webhook', label: 'Webhooks' },
  { value: 'catalogue', label: 'Catalogue' },
  { value: 'trace', label: 'Traces' },
  { value: 'import', label: 'Imports' },
  { value: 'workspace', label: 'Workspace' },
  { value: 'password', label: 'Passwords' },
  { value: 'email', label: 'Addresses' },
];

interface FilterProps {
  filter: AuditFilter;
  onFilter: (filter: AuditFilter) => void;
}

function Filter({ filter, onFilter }: FilterProps) {
  const set = (name: keyof AuditFilter) => (event: { target: { value: string } }) =>
    onFilter({ ...filter, [name]: event.target.value || undefined });
  const field = (name: 'who' | 'what' | 'since' | 'until', label: string, type = 'text') => (
    <label>
      <span className="muted small">{label}</span>
      <TextInput type={type} maxLength={200} value={filter[name] ?? ''} onChange={set(name)} />
    </label>
  );
  return (
    <div className={styles.filter} role="search">
      <label>
        <span className="muted small">What</span>
        <Select choices={KINDS} value={filter.kind ?? ''} onChange={set('kind')} />
      </label>
      {field('who', 'Who')}
      {field('what', 'To what')}
      {field('since', 'Since', 'date')}
      {field('until', 'Until', 'date')}
      <a className={buttonClass({ look: 'plain' })} href={auditCsv(filter)} download>
        <Icon name="download" /> CSV
      </a>
    </div>
  );
}

function Row({ entry }: { entry: AuditEntry }) {
  const detail = Object.entries(entry.detail).filter(
    ([name]) => !/^(study|run|comment)$/.test(name),
  );
  return (
    <tr>
      <td className="num">{dateTime(entry.created_at)}</td>
      <th scope="row">
        {entry.actor_email || 'somebody with a link'} {entry.token_id && <Chip>by token</Chip>}
      </th>
      <td>{entry.said}</td>
      <td className={styles.target}>
        {entry.target}{' '}
        <span className="muted">
          {detail.map(([name, value]) => `${name} ${String(value)}`).join(', ')}
        </span>
      </td>
    </tr>
  );
}

/** Who did what to what. */
export function AuditPage() {
  const [filter, setFilter] = useState<AuditFilter>({});
  const audit = useInfiniteQuery(auditQueryOptions(useDeferredValue(filter)));
  const rows = audit.data?.pages.flatMap((page) => page.results) ?? [];
  return (
    <main className="page">
      <h1>What was done</h1>
      <Filter filter={filter} onFilter={setFilter} />
      {audit.isError && (
        <Failed error={audit.error} onRetry={() => void audit.refetch()} minHeight={120} />
      )}
      {audit.isPending && <Loading minHeight={240} />}
      {audit.data && rows.length === 0 && <p className="muted">Nothing that fits.</p>}
      {rows.length > 0 && (
        <Table
          label="What was done"
          className={styles.table}
          heads={['When', 'Who', 'What', 'To what']}
        >
          {rows.map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
        </Table>
      )}
      {audit.hasNextPage && (
        <Button disabled={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
          Earlier
        </Button>
      )}
    </main>
  );
}
