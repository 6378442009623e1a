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
  onRange: (pointer: string, range: { low: number; high: number } | null) => void;
  /** Lets the ranges follow a change of a design; says where origins of list entries went. */
  onFollow: (prefix: string, change: DocumentChange) => Provenance | null;
}

/** The designs side by side; on a phone one at a time. */
export function DesignColumns({ study, plan, frame, at, onRange, onFollow }: DesignColumnsProps) {
  const mayEdit = useMayEdit();
  const pointed = at?.startsWith('/designs/') ? at.split('/')[2] : undefined;
  const [chosen, setChosen] = useState<string | undefined>(pointed);
  const first = study.designs[0]?.letter;
  const shown = study.designs.some((design) => design.letter === chosen) ? chosen : first;
  return (
    <>
      <div className={styles.choose} role="group" aria-label="Design shown">
        {study.designs.map((design) => (
          <button
            key={design.id}
            type="button"
            className={buttonClass({ small: true })}
            aria-pressed={design.letter === shown}
            onClick={() => setChosen(design.letter)}
          >
            <DesignBadge letter={design.letter} />
          </button>
        ))}
      </div>
      <div className={styles.columns}>
        {study.designs.map((design) => (
          <DesignColumn
            key={design.id}
            design={design}
            study={study}
            plan={plan}
            ranges={rangesOf(study.ranges, `/designs/${design.letter}`)}
            frame={frame}
            shown={design.letter === shown}
            onRange={(pointer, range) => onRange(`/designs/${design.letter}${pointer}`, range)}
            onFollow={(change) => onFollow(`/designs/${design.letter}`, change)}
          />
        ))}
        {mayEdit && (
          <div className={styles.add}>
            <AddDesign
              studyId={study.id}
              plan={plan}
              titles={study.designs.map(({ title }) => title)}
              full={study.designs.length >= DESIGNS_MOST}
            />
          </div>
        )}
      </div>
    </>
  );
}
