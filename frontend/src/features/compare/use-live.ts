import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Latest } from '../../lib/latest';
import type { StudyDocument } from '../../lib/types';
import { evaluate, moved, type Evaluation } from './api/evaluate';
import { writeMoves, type Moves } from './search';

interface Question {
  document: StudyDocument;
  moves: Moves;
  drawn: boolean;
}

interface Shown {
  answer: Evaluation;
  moves: Moves;
  drawn: boolean;
}

export interface Live {
  /** The answer for the moved inputs; null while nothing is moved or nothing is back yet. */
  answer: Evaluation | null;
  /** Whether the answer has its odds; while a slider moves it has none. */
  drawn: boolean;
  /** Counts answers, so that charts can say which one they show. */
  revision: number;
  error: unknown;
  preview: (moves: Moves) => void;
  settle: (moves: Moves) => void;
}

/**
 * Asks the plan while inputs move: one request in flight, the latest question wins; without
 * draws during a drag, with them once it is let go.
 */
export function useLive(document: StudyDocument | undefined, initial: Moves): Live {
  const [shown, setShown] = useState<Shown | null>(null);
  const [revision, setRevision] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const settled = useRef<{ moves?: string; document?: StudyDocument }>({});
  const latest = useMemo(
    () =>
      new Latest<Question, Evaluation>(
        ({ document: of, moves, drawn }) => evaluate(moved(of, moves, drawn)),
        (answer, { moves, drawn }) => {
          setError(null);
          setShown({ answer, moves, drawn });
          setRevision((count) => count + 1);
        },
        (reason) => setError(reason),
      ),
    [],
  );
  const ask = useCallback(
    (moves: Moves, drawn: boolean) => {
      if (Object.keys(moves).length === 0) {
        latest.drop();
        setShown(null);
        setError(null);
      } else if (document) {
        latest.send({ document, moves, drawn });
      }
    },
    [document, latest],
  );
  const preview = useCallback((moves: Moves) => ask(moves, false), [ask]);
  const settle = useCallback(
    (moves: Moves) => {
      settled.current = { moves: writeMoves(moves), document };
      ask(moves, true);
    },
    [ask, document],
  );
  // The address may change by itself: on opening, on Back, and when the document is saved.
  const wanted = writeMoves(initial);
  useEffect(() => {
    const last = settled.current;
    if (last.moves === wanted && last.document === document) return;
    settled.current = { moves: wanted, document };
    ask(initial, true);
    // `wanted` stands for `initial`, which is a new object each time.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted, document, ask]);
  const moving = shown !== null && Object.keys(shown.moves).length > 0;
  return {
    answer: moving ? shown.answer : null,
    drawn: shown?.drawn ?? true,
    revision,
    error,
    preview,
    settle,
  };
}
