import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Select, Switch } from '../../../components/control';
import { Fault } from '../../../components/fault';
import { Panel } from '../../../components/panel';
import { SecretLine } from '../../../components/secret-line';
import { date } from '../../../lib/format';
import type { Run } from '../../../lib/types';
import { sharesQueryOptions, useRevokeShare, useShare } from '../api/history';
import styles from './history.module.css';

const DAYS = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '365', label: 'A year' },
];

function NewShare({ studyId, latest }: { studyId: string; latest: Run | undefined }) {
  const share = useShare(studyId);
  const [what, setWhat] = useState('latest');
  const [withInputs, setWithInputs] = useState(false);
  const [days, setDays] = useState('30');
  if (share.data) {
    return (
      <SecretLine
        title={`The link works until ${date(share.data.expires_at)}. It is shown this once.`}
        secret={share.data.link}
        onDone={() => share.reset()}
      />
    );
  }
  const run = what === 'fixed' ? (latest?.id ?? null) : null;
  return (
    <div className="form">
      <label>
        <span className="muted small">Shows</span>
        <Select
          choices={[
            { value: 'latest', label: 'Always the latest run' },
            ...(latest ? [{ value: 'fixed', label: 'The run of now, for good' }] : []),
          ]}
          value={what}
          onChange={(event) => setWhat(event.target.value)}
        />
      </label>
      <label>
        <span className="muted small">Ends after</span>
        <Select choices={DAYS} value={days} onChange={(event) => setDays(event.target.value)} />
      </label>
      <div className={styles.switch}>
        <Switch label="With inputs and report" checked={withInputs} onChange={setWithInputs} />
      </div>
      <Button
        look="primary"
        icon="share"
        disabled={share.isPending}
        onClick={() => share.mutate({ run, with_inputs: withInputs, days: Number(days) })}
      >
        Make a link
      </Button>
      <Fault of={share} />
    </div>
  );
}

/** Links that show the result without an account. */
export function Shares({ studyId, latest }: { studyId: string; latest: Run | undefined }) {
  const shares = useQuery(sharesQueryOptions(studyId));
  const revoke = useRevokeShare(studyId);
  const rows = shares.data ?? [];
  return (
    <Panel
      id="shares"
      title="Links"
      about="Who has a link sees the result without an account, and nothing else."
    >
      <ul className="stack gap-12">
        {rows.map((row) => (
          <li key={row.id} className={`${styles.line} line apart gap-8-16`}>
            <span>
              {row.run ? 'One run' : 'The latest run'}, {row.with_inputs ? 'with' : 'without'}{' '}
              inputs{' '}
              <span className="muted">
                by {row.created_by}, until {date(row.expires_at)};{' '}
                {row.last_opened_at ? `opened ${date(row.last_opened_at)}` : 'not opened'}
              </span>
            </span>
            <Button
              small
              look="danger"
              disabled={revoke.isPending}
              onClick={() => revoke.mutate(row.id)}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      <NewShare studyId={studyId} latest={latest} />
    </Panel>
  );
}
