import { useState } from 'react';
import { Button } from '../../../components/button';
import { TextArea } from '../../../components/control';
import { messageOf, Problem } from '../../../lib/problem';
import type { Study } from '../../../lib/types';
import { useReadBaseline } from '../api/baseline';
import type { Draft } from '../draft';
import styles from './designs.module.css';

const EXAMPLE = `type,count,hours_per_month,usd_per_h,commitment_ends_on,after_usd_per_h
m7a.8xlarge,40,730,0.8346,2027-06-30,1.85472
m7a.8xlarge,14,320,1.85472,,`;

/** A bill as text, one line per kind of machine. */
export function BaselinePaste({ study, draft }: { study: Study; draft: Draft<Study> }) {
  const [text, setText] = useState('');
  const load = useReadBaseline(study.id);
  const submit = async () => {
    await draft.flush();
    load.mutate(text, { onSuccess: () => setText('') });
  };
  return (
    <aside className={styles.aside}>
      <h2>Paste what runs today</h2>
      <p className="muted">
        One line per kind of machine, with a head. A commitment runs off at its end; from then on
        the price afterwards holds.
      </p>
      <TextArea
        rows={8}
        spellCheck={false}
        aria-label="Lines of the baseline as CSV"
        placeholder={EXAMPLE}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {load.isError && (
        <div className={styles.bad} role="alert">
          <p>{messageOf(load.error)}</p>
          {load.error instanceof Problem &&
            load.error.faults.slice(1, 6).map((fault) => (
              <p key={fault.pointer + fault.code} className="small">
                {fault.message}
              </p>
            ))}
        </div>
      )}
      <div>
        <Button disabled={text.trim() === '' || load.isPending} onClick={() => void submit()}>
          {load.isPending ? 'Reading …' : 'Read the lines'}
        </Button>
      </div>
    </aside>
  );
}
