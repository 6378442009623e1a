import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Icon } from '../../../components/icon';
import { isObject, type Json } from '../../../lib/pointer';
import { useMayEdit } from '../../../lib/session';
import type { StudyDocument } from '../../../lib/types';
import { CHECK, checkQueryOptions, type Finding } from '../api/check';
import styles from './verdict.module.css';

type Changes = Record<string, Json>;

interface LikeForLikeProps {
  studyId: string;
  document: StudyDocument;
  /** Whether inputs have moved: the check stays that of the study as saved. */
  isMoved: boolean;
  saving: boolean;
  /** One line, and the way to the rest. */
  isBrief?: boolean;
  onOpen?: () => void;
  onChange: (changes: Changes) => void;
}

function Reason({ onAccept }: { onAccept: (because: string) => void }) {
  const [because, setBecause] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (because.trim()) onAccept(because.trim());
      }}
    >
      <label>
        Accepted, because{' '}
        <input value={because} onChange={(event) => setBecause(event.target.value)} />
      </label>{' '}
      <Button small type="submit" disabled={!because.trim()}>
        Accept
      </Button>
    </form>
  );
}

interface LineProps extends Pick<LikeForLikeProps, 'studyId' | 'saving' | 'onChange'> {
  finding: Finding;
  onAccept: (because: string) => void;
  onReopen: () => void;
}

function Line({ studyId, finding, saving, onChange, onAccept, onReopen }: LineProps) {
  const mayEdit = useMayEdit();
  const [asked, setAsked] = useState(false);
  const { fix, accepted, money, then } = finding;
  const changes = Object.fromEntries(fix.map(({ pointer, value }) => [pointer, value]));
  return (
    <li>
      <Icon name={accepted === null ? 'warning' : 'check'} size={14} />
      <span>
        <strong>{finding.title}.</strong> {finding.sentence}{' '}
        <span className="muted">
          ({money}
          {then && `; ${then}`})
        </span>{' '}
        {accepted === null ? (
          <>
            <Link
              to="/studies/$studyId/designs"
              params={{ studyId }}
              search={{ at: finding.pointer }}
            >
              Go to the field
            </Link>{' '}
            {mayEdit && fix.length > 0 && (
              <Button small disabled={saving} onClick={() => onChange(changes)}>
                {finding.not_counted ? 'Count it' : 'Fix'}
              </Button>
            )}{' '}
            {mayEdit &&
              (asked ? (
                <Reason onAccept={onAccept} />
              ) : (
                <Button small look="quiet" onClick={() => setAsked(true)}>
                  Accept
                </Button>
              ))}
          </>
        ) : (
          <>
            <em>Accepted: {accepted}</em>{' '}
            {mayEdit && (
              <Button small look="quiet" disabled={saving} onClick={onReopen}>
                Reopen
              </Button>
            )}
          </>
        )}
      </span>
    </li>
  );
}

/** Where the designs are not alike, what that is worth, and what would make them so. */
export function LikeForLikePanel({
  studyId,
  document,
  isMoved,
  saving,
  isBrief = false,
  onOpen,
  onChange,
}: LikeForLikeProps) {
  const { data } = useQuery(checkQueryOptions(studyId, document));
  if (data?.model !== CHECK) return null;
  const { sentence, findings, open_count: open, lease_or_buy: leases } = data.result;
  const of = isMoved ? ', as saved' : '';
  if (isBrief) {
    return (
      <section aria-label="Like-for-like check">
        <p className={`${styles.check} ${open > 0 ? 'warning' : 'muted'}`}>
          <Icon name={open > 0 ? 'warning' : 'check'} size={14} />{' '}
          <strong>Like-for-like check{of}.</strong> {sentence}{' '}
          <Button small look="quiet" onClick={onOpen}>
            See the check
          </Button>
        </p>
      </section>
    );
  }
  const before = (document.assumptions as { accepted?: Json[] }).accepted ?? [];
  const others = (keys: readonly Json[]) =>
    before.filter((one) => !isObject(one) || !keys.includes(one.finding ?? null));
  const reopen = (keys: readonly string[]) => () =>
    onChange({ '/assumptions/accepted': others(keys) });
  const accept = (keys: readonly string[]) => (because: string) =>
    onChange({
      '/assumptions/accepted': [...others(keys), ...keys.map((finding) => ({ finding, because }))],
    });
  return (
    <section aria-label="Like-for-like check">
      <p>
        <strong>Like-for-like check{of}.</strong> {sentence}
      </p>
      <ul className={`${styles.warnings} small`}>
        {findings.map((finding) => (
          <Line
            key={finding.key}
            studyId={studyId}
            finding={finding}
            saving={saving}
            onChange={onChange}
            onAccept={accept(finding.keys)}
            onReopen={reopen(finding.keys)}
          />
        ))}
      </ul>
      {leases.map((lease) => (
        <p key={lease.letter} className="small">
          <strong>Lease or buy{of}.</strong> {lease.sentence}
        </p>
      ))}
    </section>
  );
}
