import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { DesignBadge } from '../../../components/design-badge';
import { Dialog } from '../../../components/dialog';
import { Fault } from '../../../components/fault';
import { Empty, QueryState } from '../../../components/query-state';
import { createDesign } from '../../../lib/create-design';
import { studyChoicesQueryOptions, studyKey } from '../../../lib/studies';
import { leftOut } from '../left-out';
import { noPlan, planArray } from '../plan-spec';
import type { ArrayResult } from '../result';
import type { Known } from '../use-outlooks';
import type { ArraysState } from '../types';
import styles from './arrays.module.css';

interface AddToStudyProps {
  state: ArraysState;
  results: ReadonlyMap<string, ArrayResult | undefined>;
  outlooks: ReadonlyMap<string, Known>;
  onClose: () => void;
}

function useAdd({ state, results, outlooks }: AddToStudyProps) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ study, letters }: { study: string; letters: readonly string[] }) => {
      for (const { letter, title, array } of state.entries) {
        if (!letters.includes(letter)) continue;
        const outlook = outlooks.get(letter)?.outlook ?? null;
        const found = { outlook, result: results.get(letter) };
        const spec = { array: planArray(array, state, found) };
        await createDesign(study, { title: title || `Array ${letter}`, kind: 'disk_array', spec });
      }
      return study;
    },
    onSettled: (_done, _error, { study }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: studyKey(study) }),
        client.invalidateQueries({ queryKey: ['studies'] }),
      ]),
  });
}

/** What the designs will not have of the arrays. */
function LeftOut({ state, results, letters }: AddToStudyProps & { letters: readonly string[] }) {
  const parts = state.entries
    .filter(({ letter }) => letters.includes(letter))
    .map(({ letter, array }) => ({ letter, texts: leftOut(array, state, results.get(letter)) }))
    .filter(({ texts }) => texts.length > 0);
  if (parts.length === 0) return null;
  return (
    <section className={styles.leftOut} aria-label="What is not transferred">
      <p className="muted small">Not transferred to the study’s designs</p>
      {parts.map(({ letter, texts }) => (
        <div key={letter}>
          <DesignBadge letter={letter} />
          <ul>
            {texts.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

/** Makes designs of a study of the arrays that are chosen. */
export function AddToStudy(props: AddToStudyProps) {
  const { state, onClose } = props;
  const able = state.entries.filter(({ array }) => noPlan(array) === null);
  const [letters, setLetters] = useState(able.map(({ letter }) => letter));
  const cards = useQuery(studyChoicesQueryOptions);
  const add = useAdd(props);
  const toggle = (letter: string) =>
    setLetters((now) =>
      now.includes(letter) ? now.filter((one) => one !== letter) : [...now, letter],
    );
  return (
    <Dialog title="Add to a study" width={560} onClose={onClose}>
      <div className={styles.picker}>
        <fieldset className={styles.letters}>
          <legend className="muted small">Arrays that become designs</legend>
          {state.entries.map(({ letter, title, array }) => {
            const reason = noPlan(array);
            return (
              <label key={letter} title={reason ?? undefined}>
                <input
                  type="checkbox"
                  disabled={reason !== null}
                  checked={letters.includes(letter)}
                  onChange={() => toggle(letter)}
                />
                <DesignBadge letter={letter} /> {title}
                {reason && <span className="muted small">{reason}</span>}
              </label>
            );
          })}
        </fieldset>
        <LeftOut {...props} letters={letters} />
        {add.isSuccess ? (
          <p role="status">
            Added.{' '}
            <Link to="/studies/$studyId/designs" params={{ studyId: add.data }}>
              Go to the designs
            </Link>
          </p>
        ) : (
          <QueryState query={cards} minHeight={160} empty="There is no study yet.">
            {(page) =>
              page.results.length === 0 ? (
                <Empty>There is no study yet. Create one first.</Empty>
              ) : (
                <div className={styles.entries}>
                  {page.results.map((card) => (
                    <div key={card.id} className={styles.entry}>
                      <span>{card.title}</span>
                      <Button
                        small
                        disabled={add.isPending || letters.length === 0}
                        aria-label={`Add to ${card.title}`}
                        onClick={() => add.mutate({ study: card.id, letters })}
                      >
                        Add
                      </Button>
                    </div>
                  ))}
                </div>
              )
            }
          </QueryState>
        )}
        <Fault of={add} />
      </div>
    </Dialog>
  );
}
