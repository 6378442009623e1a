import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Latest } from '../../lib/latest';
import { Offline } from '../../lib/problem';
import { useAway } from '../../lib/service';
import type { StudyDocument } from '../../lib/types';
import { evaluate, type Answer } from './api/evaluate';
import { asked } from './moved';
import { writeMoves, type Moves } from './search';

interface Question {
  document: StudyDocument;
  moves: Moves;
  held: boolean;
  figures: string;
}

interface Shown {
  answer: Answer | null;
  moves: Moves;
  held: boolean;
  /** Counts answers; going back to what is saved counts as one. */
  revision: number;
}

const NOTHING: Shown = { answer: null, moves: {}, held: false, revision: 0 };

function nothing(before: Shown): Shown {
  return before.answer ? { ...NOTHING, revision: before.revision + 1 } : before;
}

export interface Live {
  /** The answer for the moved inputs; null while nothing is moved or nothing is back yet. */
  answer: Answer | null;
  /** Whether a slider is held: the answer is that of fewer simulations. */
  held: boolean;
  /** Whether the inputs have moved on: the answer is that of where they were. */
  pending: boolean;
  /** Counts answers, so that charts can say which one they show. */
  revision: number;
  error: unknown;
  preview: (moves: Moves) => void;
  settle: (moves: Moves) => void;
}

/**
 * Asks the plan while inputs move: one request in flight, the latest question wins; with
 * fewer simulations during a drag, with all of them once it is let go.
 */
export function useLive(
  document: StudyDocument | undefined,
  initial: Moves,
  figures: string,
): Live {
  const [shown, setShown] = useState(NOTHING);
  const [error, setError] = useState<unknown>(null);
  const [asking, setAsking] = useState<Question | null>(null);
  const settled = useRef<{ moves?: string; document?: StudyDocument; figures?: string }>({});
  const latest = useMemo(
    () =>
      new Latest<Question, Answer>(
        ({ document: of, moves, held, figures: drawn }) =>
          evaluate(asked(of, held), drawn, { moves }),
        (answer, question) => {
          const { moves, held } = question;
          setError(null);
          setAsking((now) => (now === question ? null : now));
          setShown(({ revision }) => ({ answer, moves, held, revision: revision + 1 }));
        },
        (reason, question) => {
          setError(reason);
          setAsking((now) => (now === question ? null : now));
        },
      ),
    [],
  );
  const ask = useCallback(
    (moves: Moves, held: boolean) => {
      if (Object.keys(moves).length === 0) {
        latest.drop();
        setAsking(null);
        setShown(nothing);
        setError(null);
      } else if (document) {
        const question = { document, moves, held, figures };
        setAsking(question);
        latest.send(question);
      }
    },
    [document, latest, figures],
  );
  const preview = useCallback((moves: Moves) => ask(moves, true), [ask]);
  const settle = useCallback(
    (moves: Moves) => {
      settled.current = { moves: writeMoves(moves), document, figures };
      ask(moves, false);
    },
    [ask, document, figures],
  );
  // What went unanswered is asked again once the service is whole.
  const isAway = useAway().length > 0;
  const missed = error instanceof Offline && !isAway;
  // The address may change by itself: on opening, on Back, for other charts, and on saving.
  const wanted = writeMoves(initial);
  useEffect(() => {
    const last = settled.current;
    const same = last.moves === wanted && last.document === document && last.figures === figures;
    if (same && !missed) return;
    settled.current = { moves: wanted, document, figures };
    ask(initial, false);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- wanted stands for initial, new each time
  }, [wanted, document, figures, ask, missed]);
  return {
    answer: shown.answer,
    held: shown.held,
    pending: asking !== null,
    revision: shown.revision,
    error,
    preview,
    settle,
  };
}
