import { useState } from 'react';
import { buttonClass } from '../../../components/button';
import { DesignBadge } from '../../../components/design-badge';
import type { JsonSchema } from '../../../lib/schema';
import { useMayEdit } from '../../../lib/session';
import type { Provenance, Study } from '../../../lib/types';
import { rangesOf } from '../ranges';
import type { DocumentChange } from '../spreads';
import { DESIGNS_MOST } from '../api/designs';
import { AddDesign } from './add-design';
import { DesignColumn } from './design-column';
import type { FormFrame } from '../../../components/form/document-form';
import styles from './designs.module.css';

interface DesignColumnsProps {
  study: Study;
  plan: JsonSchema;
  frame: FormFrame;
  at: string | undefined;
  /** All side by side, rather than the one to edit. */
  isBeside: boolean;
  onBeside: (isBeside: boolean) => void;
  onRange: (pointer: string, range: { low: number; high: number } | null) => void;
  /** Lets the ranges follow a change of a design; says where origins of list entries went. */
  onFollow: (prefix: string, change: DocumentChange) => Provenance | null;
}

/** One design to edit it, or all side by side to compare them. */
export function DesignColumns(props: DesignColumnsProps) {
  const { study, plan, frame, at, isBeside, onBeside, onRange, onFollow } = props;
  const mayEdit = useMayEdit();
  const pointed = at?.startsWith('/designs/') ? at.split('/')[2] : undefined;
  const [chosen, setChosen] = useState<string | undefined>(pointed);
  // One that was added is the one to edit.
  const letters = study.designs.map(({ letter }) => letter).join('');
  const [known, setKnown] = useState(letters);
  if (known !== letters) {
    setKnown(letters);
    const added = [...letters].find((letter) => !known.includes(letter));
    if (added) setChosen(added);
  }
  const first = study.designs[0]?.letter;
  const shown = study.designs.some((design) => design.letter === chosen) ? chosen : first;
  return (
    <>
      <div className={styles.choose}>
        {study.designs.length > 1 && (
          <div className="line gap-6" role="group" aria-label="Design shown">
            {study.designs.map(({ id, letter, title }) => (
              <button
                key={id}
                type="button"
                className={buttonClass({ small: true })}
                aria-pressed={!isBeside && letter === shown}
                title={title}
                onClick={() => {
                  setChosen(letter);
                  onBeside(false);
                }}
              >
                <DesignBadge letter={letter} />
                <span>{title}</span>
              </button>
            ))}
            <button
              type="button"
              className={buttonClass({ small: true })}
              aria-pressed={isBeside}
              onClick={() => onBeside(true)}
            >
              Side by side
            </button>
          </div>
        )}
        {mayEdit && (
          <AddDesign
            studyId={study.id}
            plan={plan}
            titles={study.designs.map(({ title }) => title)}
            full={study.designs.length >= DESIGNS_MOST}
          />
        )}
      </div>
      <div className={isBeside ? styles.columns : styles.one}>
        {study.designs.map((design) => (
          <DesignColumn
            key={design.id}
            design={design}
            study={study}
            plan={plan}
            ranges={rangesOf(study.ranges, `/designs/${design.letter}`)}
            frame={frame}
            shown={isBeside || design.letter === shown}
            onRange={(pointer, range) => onRange(`/designs/${design.letter}${pointer}`, range)}
            onFollow={(change) => onFollow(`/designs/${design.letter}`, change)}
          />
        ))}
      </div>
    </>
  );
}
