import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Fault } from '../../../components/fault';
import { Form } from '../../../components/form';
import { Panel } from '../../../components/panel';
import { QueryState } from '../../../components/query-state';
import { Rich } from '../../../components/rich';
import { TextField } from '../../../components/text-field';
import { date } from '../../../lib/format';
import { useSession } from '../../../lib/session';
import { lengthOf } from '../../../lib/lengths';
import { approvalsQueryOptions, useApprove, useAskApproval } from '../api/history';
import styles from './history.module.css';

function Approve({ studyId }: { studyId: string }) {
  const approve = useApprove(studyId);
  const [name, setName] = useState('');
  const [sentence, setSentence] = useState('');
  const submit = () => {
    const done = () => {
      setName('');
      setSentence('');
    };
    approve.mutate({ name: name.trim(), sentence: sentence.trim() }, { onSuccess: done });
  };
  return (
    <Form className="form" onSend={submit}>
      <TextField
        label="Name"
        required
        maxLength={lengthOf('ApprovalInput.name')}
        placeholder="Budget 2027"
        value={name}
        onText={setName}
      />
      <TextField
        label="Why, or for what"
        className={styles.wide}
        required
        maxLength={lengthOf('ApprovalInput.sentence')}
        value={sentence}
        onText={setSentence}
      />
      <Button type="submit" look="primary" disabled={approve.isPending}>
        Approve as saved now
      </Button>
      <Fault of={approve} />
    </Form>
  );
}

/** Somebody who may not approve asks those who may. */
function Ask({ studyId }: { studyId: string }) {
  const ask = useAskApproval(studyId);
  const [sentence, setSentence] = useState('');
  const submit = () => ask.mutate(sentence.trim(), { onSuccess: () => setSentence('') });
  return (
    <Form className="form" onSend={submit}>
      <TextField
        label="Why, or for what"
        className={styles.wide}
        required
        maxLength={lengthOf('ApprovalInput.sentence')}
        value={sentence}
        onText={setSentence}
      />
      <Button type="submit" look="primary" disabled={ask.isPending}>
        Ask an owner to approve
      </Button>
      {ask.isSuccess && <p role="status">Approval requested; owners are notified.</p>}
      <Fault of={ask} />
    </Form>
  );
}

/** The versions that were approved; they cannot be changed. */
export function Approvals({ studyId }: { studyId: string }) {
  const session = useSession();
  const approvals = useQuery(approvalsQueryOptions(studyId));
  return (
    <Panel id="approvals" title="Approved">
      <QueryState query={approvals} minHeight={40} empty="No version is approved.">
        {(rows) => (
          <ul className="stack gap-12">
            {rows.map((row) => (
              <li key={row.id}>
                <strong>{row.name}</strong>{' '}
                <span className="muted">
                  {row.approved_by}, {date(row.created_at)}
                </span>
                <div>{row.sentence}</div>
                <Link
                  className="small"
                  to="/studies/$studyId/history/beside"
                  params={{ studyId }}
                  search={{ left: row.run.id }}
                >
                  Beside the latest run<span className="visually-hidden"> ({row.name})</span>
                </Link>
                {row.run.headline && (
                  <div className="muted">
                    <Rich text={row.run.headline} />
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      {session?.workspace.role === 'owner' && <Approve studyId={studyId} />}
      {session?.workspace.role === 'editor' && <Ask studyId={studyId} />}
    </Panel>
  );
}
