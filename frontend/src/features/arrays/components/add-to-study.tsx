import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button';
import list from '../../../components/catalogue-list.module.css';
import { DesignBadge } from '../../../components/design-badge';
import { Dialog } from '../../../components/dialog';
import { Fault } from '../../../components/fault';
import { Empty, QueryState } from '../../../components/query-state';
import { createDesign } from '../../../lib/create-design';
import type { JsonObject } from '../../../lib/pointer';
import { studyChoicesQueryOptions, studyKey } from '../../../lib/studies';
import type { ArraysState } from '../types';
import type { Planned } from '../use-beside';
import styles from './arrays.module.css';

interface AddToStudyProps {
  state: ArraysState;
  planned: ReadonlyMap<string, Planned>;
  onClose: () => void;
}

function useAdd({ state, planned }: AddToStudyProps) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ study, letters }: { study: string; letters: readonly string[] }) => {
      for (const { letter, title } of state.entries) {
        const array = planned.get(letter)?.design?.array;
        if (!array || !letters.includes(letter)) continue;
        const spec = { array: array as JsonObject };
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
function LeftOut({ planned, letters }: AddToStudyProps & { letters: readonly string[] }) {
  const parts = letters
    .map((letter) => ({ letter, texts: planned.get(letter)?.design?.left_out ?? [] }))
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
  const { state, planned, onClose } = props;
  const [without, setWithout] = useState<readonly string[]>([]);
  const letters = state.entries
    .map(({ letter }) => letter)
    .filter((letter) => planned.get(letter)?.design?.array && !without.includes(letter));
  const cards = useQuery(studyChoicesQueryOptions);
  const add = useAdd(props);
  const toggle = (letter: string) =>
    setWithout((now) =>
      now.includes(letter) ? now.filter((one) => one !== letter) : [...now, letter],
    );
  return (
    <Dialog title="Add to a study" width={560} onClose={onClose}>
      <div className={styles.picker}>
        <fieldset className={styles.letters}>
          <legend className="muted small">Arrays that become designs</legend>
          {state.entries.map(({ letter, title }) => {
            const known = planned.get(letter);
            const reason = known?.design?.array ? null : (known?.reason ?? null);
            return (
              <label key={letter} title={reason ?? undefined}>
                <input
                  type="checkbox"
                  disabled={!known?.design?.array}
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
                <div className={list.entries}>
                  {page.results.map((card) => (
                    <div key={card.id} className={list.entry}>
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
