import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Select } from '../../../components/control';
import { Failed, Loading } from '../../../components/query-state';
import { differencesQueryOptions, lettersQueryOptions } from '../api/imports';
import styles from './imports.module.css';
import { PreviewTables } from './preview-tables';

/** A bill beside a design of the study that it is in: each line, and why it differs. */
export function Differences({ id, studyId }: { id: string; studyId: string }) {
  const [letter, setLetter] = useState('T');
  const designs = useQuery(lettersQueryOptions(studyId));
  const table = useQuery(differencesQueryOptions(id, letter));
  const choices = [
    { value: 'T', label: 'the baseline' },
    ...(designs.data ?? []).map((one) => ({
      value: one.letter,
      label: `${one.letter} ${one.title}`,
    })),
  ];
  return (
    <section className={styles.panel} aria-label="The bill explained">
      <h2>The bill explained</h2>
      <div className={`${styles.fields} fill`}>
        <label>
          Set beside
          <Select
            choices={choices}
            value={letter}
            onChange={({ target }) => setLetter(target.value)}
          />
        </label>
      </div>
      {table.isPending && <Loading minHeight={160} />}
      {table.isError && <Failed error={table.error} minHeight={80} />}
      {table.data && <PreviewTables tables={[table.data]} />}
    </section>
  );
}
