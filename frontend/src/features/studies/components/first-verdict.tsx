import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { DesignBadge } from '../../../components/design-badge';
import { Bone } from '../../../components/query-state';
import { Rich } from '../../../components/rich';
import { evaluate } from '../../../lib/answers';
import type { Comparison, DesignResult } from '../../../lib/comparison';
import { money, range, type Currency } from '../../../lib/format';
import { PLAN } from '../../../lib/models';
import { messageOf } from '../../../lib/problem';
import { mayPass } from '../../../lib/query-client';
import { asTyped } from '../../../lib/typed-number';
import type { Proposal } from '../api/propose';
import styles from './new-study.module.css';

const DRAWS = 10_000;
export const FIRST_ANSWER = 'first answer';

function Line({ design, currency }: { design: DesignResult; currency: Currency }) {
  const { p10_usd: low, p90_usd: high } = design;
  const told = [design.shortfall, ...design.remarks].filter((one) => one != null);
  return (
    <li>
      <DesignBadge letter={design.letter} />
      <span>{design.title}</span>
      <span className="num">
        {money(design.ranked_usd, currency)}
        {low != null && high != null && (
          <span className="muted small"> P10–P90 {range(low, high, 'USD', currency)}</span>
        )}
      </span>
      {told.map(({ sentence }) => (
        <p key={sentence} className="muted small">
          {sentence}
        </p>
      ))}
    </li>
  );
}

/** What cannot be proposed, and which prices of a region are not held. */
function Notes({ notes }: { notes: readonly string[] }) {
  return notes.map((note) => (
    <p key={note} className="muted small">
      {note}
    </p>
  ));
}

interface FirstVerdictProps {
  proposal: Proposal | undefined;
  /** Why there is none yet. */
  waits: string | null;
  failure: unknown;
  /** Whether what is shown belongs to what was typed before. */
  stale: boolean;
}

/** What the comparison says of the designs as proposed, before anything is stored. */
export function FirstVerdict({ proposal, waits, failure, stale }: FirstVerdictProps) {
  const params = useMemo(
    () => (proposal?.designs.length ? { ...proposal.document, draws_count: DRAWS, seed: 1 } : null),
    [proposal],
  );
  const notes = useMemo(() => proposal?.notes ?? [], [proposal]);
  // What is said beside an answer is of its proposal: while the next is worked out, both stay.
  const answer = useQuery({
    queryKey: [FIRST_ANSWER, params, notes],
    queryFn: async () => ({ notes, ...(await evaluate<Comparison>(PLAN, params ?? {})) }),
    enabled: params !== null,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: mayPass,
  });
  const error = failure ?? answer.error;
  if (waits) return <p className={`${styles.verdict} muted`}>{waits}</p>;
  if (error) {
    return (
      <p className={styles.verdict} role="alert">
        {asTyped(messageOf(error))}
      </p>
    );
  }
  if (proposal && proposal.designs.length === 0) {
    return (
      <div className={styles.verdict} role="alert">
        <p>None of the options can be proposed for this work.</p>
        <Notes notes={proposal.notes} />
      </div>
    );
  }
  const result = answer.data?.result;
  if (!result) {
    return (
      <div className={styles.verdict} role="group" aria-busy="true" aria-label="Loading">
        <Bone width="80%" height={24} />
        <Bone width="60%" />
      </div>
    );
  }
  const isOld = stale || answer.isPlaceholderData;
  return (
    <div className={`${styles.verdict} ${isOld ? styles.stale : ''}`} aria-busy={isOld}>
      <p className={styles.headline} data-testid="verdict" aria-live="polite">
        <Rich text={result.verdict.headline} />
      </p>
      <p className="muted">{result.verdict.odds ?? result.verdict.odds_reason}</p>
      {result.verdict.not_counted && <p className="muted">{result.verdict.not_counted}</p>}
      <ul className={`${styles.designs} stack gap-6`} aria-label="Designs proposed">
        {result.designs.map((design) => (
          <Line key={design.letter} design={design} currency={result.currency} />
        ))}
      </ul>
      <Notes notes={answer.data?.notes ?? []} />
    </div>
  );
}
