import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Select, TextInput } from '../../../components/control';
import { Failed, Loading } from '../../../components/query-state';
import { messageOf } from '../../../lib/problem';
import { draftQueryOptions, useAccept, type Options } from '../api/imports';
import { amount, type Preview } from '../preview';
import styles from './imports.module.css';
import { PreviewTables } from './preview-tables';

const COSTS = [
  { value: 'effective', label: 'Cost, commitments spread over their use' },
  { value: 'billed', label: 'As invoiced' },
];

interface AcceptProps {
  id: string;
  preview: Preview;
  onAccepted: (studyId: string) => void;
}

interface MappingProps {
  preview: Preview;
  mapping: Record<string, string>;
  onChange: (mapping: Record<string, string>) => void;
}

/** Which column of a quote means what; found by its words, changed here, remembered. */
function MappingFields({ preview, mapping, onChange }: MappingProps) {
  const choices = [
    { value: '', label: 'none' },
    ...(preview.columns ?? []).map((column) => ({ value: column, label: column })),
  ];
  return preview.meanings?.map(({ id, title }) => (
    <label key={id}>
      {title}
      <Select
        choices={choices}
        value={mapping[id] ?? ''}
        onChange={({ target }) => {
          const { [id]: _, ...rest } = mapping;
          onChange(target.value ? { ...rest, [id]: target.value } : rest);
        }}
      />
    </label>
  ));
}

/** Where the bill's money goes, and the button that writes it into a new study. */
export function AcceptPanel({ id, preview, onAccepted }: AcceptProps) {
  const [cost, setCost] = useState(preview.suggested_cost);
  const [rate, setRate] = useState('');
  const [mapping, setMapping] = useState(preview.mapping);
  const [machines, setMachines] = useState('');
  const [title, setTitle] = useState('');
  const currency = preview.currency ?? '';
  const foreign = currency !== 'USD' && currency !== '';
  const per_usd = foreign && Number(rate) > 0 ? Number(rate) : undefined;
  const machines_count = Number(machines) > 0 ? Number(machines) : undefined;
  const options: Options = { cost, per_usd, mapping, machines_count };
  const draft = useQuery(draftQueryOptions(id, options));
  const accept = useAccept(id);
  const heading = mapping ? 'Into the catalogue' : 'Into a study';
  return (
    <section className={styles.panel} aria-label={heading}>
      <h2>{heading}</h2>
      {preview.notes.map((note) => (
        <p key={note} role="note">
          {note}
        </p>
      ))}
      <div className={styles.fields}>
        {preview.suggested_cost && (
          <label>
            Cost that counts
            <Select
              choices={COSTS}
              value={cost}
              onChange={(event) => setCost(event.target.value as 'effective' | 'billed')}
            />
          </label>
        )}
        {mapping && (
          <>
            <MappingFields preview={preview} mapping={mapping} onChange={setMapping} />
            <label>
              Servers in this quote (empty: as it names)
              <TextInput
                inputMode="decimal"
                value={machines}
                onChange={(event) => setMachines(event.target.value)}
              />
            </label>
          </>
        )}
        {foreign && (
          <label>
            {currency} per US dollar
            <TextInput
              inputMode="decimal"
              value={rate}
              onChange={(event) => setRate(event.target.value)}
            />
          </label>
        )}
        <label>
          {mapping ? 'Title of the entry (optional)' : 'Title of the study (optional)'}
          <TextInput value={title} maxLength={200} onChange={(e) => setTitle(e.target.value)} />
        </label>
      </div>
      {draft.isPending && <Loading minHeight={120} />}
      {draft.isError && <Failed error={draft.error} minHeight={80} />}
      {draft.data && (
        <>
          {draft.data.reconciliation.length > 0 && (
            <table className={styles.sums}>
              <caption>Where the money of this {mapping ? 'quote' : 'bill'} goes</caption>
              <tbody>
                {draft.data.reconciliation.map((row) => (
                  <tr key={row.what}>
                    <th scope="row">{row.what}</th>
                    <td className={styles.number}>{amount(row.amount, currency)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <PreviewTables tables={draft.data.tables} />
          <ul className={styles.open}>
            {draft.data.open_points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        </>
      )}
      {accept.isError && (
        <p role="alert" className={styles.error}>
          {messageOf(accept.error)}
        </p>
      )}
      <Button
        look="primary"
        disabled={!draft.data || accept.isPending}
        onClick={() =>
          accept.mutate(
            { ...options, title },
            { onSuccess: (made) => made?.study_id && onAccepted(made.study_id) },
          )
        }
      >
        {mapping ? 'Add it to the catalogue' : 'Make a study of it'}
      </Button>
    </section>
  );
}
