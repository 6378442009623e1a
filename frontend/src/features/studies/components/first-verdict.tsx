import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { AnswerBrief } from '../../../components/answer-brief';
import { Bone } from '../../../components/query-state';
import { evaluate } from '../../../lib/answers';
import type { Comparison } from '../../../lib/comparison';
import { PLAN } from '../../../lib/models';
import { messageOf } from '../../../lib/problem';
import { mayPass } from '../../../lib/query-client';
import { asTyped } from '../../../lib/typed-number';
import type { Proposal } from '../api/propose';
import styles from './new-study.module.css';

const DRAWS = 10_000;
export const FIRST_ANSWER = 'first answer';

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
  return (
    <AnswerBrief
      comparison={result}
      label="Designs proposed"
      isOld={stale || answer.isPlaceholderData}
    >
      <Notes notes={answer.data?.notes ?? []} />
    </AnswerBrief>
  );
}
