import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { AmountField } from '../../../components/amount-field';
import { Select, TextInput } from '../../../components/control';
import { Fault } from '../../../components/fault';
import { Failed, Loading } from '../../../components/query-state';
import {
  draftQueryOptions,
  targetsQueryOptions,
  useAccept,
  type Draft,
  type Options,
} from '../api/imports';
import { amount, type Preview } from '../preview';
import { DesignsChoice } from './designs-choice';
import { FleetFields } from './fleet-fields';
import styles from './imports.module.css';
import { NotCovered } from './not-covered';
import { PreviewTables } from './preview-tables';
import { lengthOf } from '../../../lib/lengths';

const COSTS = [
  { value: 'effective', label: 'Cost, commitments spread over their use' },
  { value: 'billed', label: 'As invoiced' },
];

interface AcceptProps {
  id: string;
  makes: string;
  preview: Preview;
  onAccepted: (studyId: string) => void;
}

interface FieldsProps {
  makes: string;
  preview: Preview;
  options: Options;
  onChange: (options: Options) => void;
}

/** Which column of a quote means what; found by its words, changed here, remembered. */
function MappingFields({ preview, options, onChange }: Omit<FieldsProps, 'makes'>) {
  const mapping = options.mapping ?? {};
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
          onChange({ ...options, mapping: target.value ? { ...rest, [id]: target.value } : rest });
        }}
      />
    </label>
  ));
}

/** A number that a file does not say; without one the server asks for it. */
function NumberField(props: { label: string; onChange: (value?: number) => void }) {
  const [value, setValue] = useState<number | null>(null);
  return (
    <AmountField
      label={props.label}
      value={value}
      faultOf={(number) => (number > 0 ? null : 'Enter a number above 0.')}
      onAmount={(number) => {
        setValue(number);
        props.onChange(number ?? undefined);
      }}
    />
  );
}

/** What the file does not say of itself. */
function OptionFields({ makes, preview, options, onChange }: FieldsProps) {
  const currency = preview.currency ?? '';
  return (
    <>
      {preview.suggested_cost && (
        <label>
          Cost that counts
          <Select
            choices={COSTS}
            value={options.cost}
            onChange={({ target }) =>
              onChange({ ...options, cost: target.value as 'effective' | 'billed' })
            }
          />
        </label>
      )}
      {preview.mapping && (
        <>
          <MappingFields preview={preview} options={options} onChange={onChange} />
          {makes === 'quote' && (
            <NumberField
              label="Servers in this quote (empty: as it names)"
              onChange={(machines_count) => onChange({ ...options, machines_count })}
            />
          )}
        </>
      )}
      {currency !== 'USD' && currency !== '' && (
        <NumberField
          label={`${currency} per US dollar (empty: the ECB's rate, once imported)`}
          onChange={(per_usd) => onChange({ ...options, per_usd })}
        />
      )}
    </>
  );
}

/** Which study takes the file: a new one, or one that took an earlier version of it. */
function TargetField({ options, onChange }: Omit<FieldsProps, 'makes' | 'preview'>) {
  const studies = useQuery(targetsQueryOptions);
  const choices = [
    { value: '', label: 'a new study' },
    ...(studies.data?.results ?? []).map(({ id, title }) => ({ value: id, label: title })),
  ];
  return (
    <label>
      Goes into
      <Select
        choices={choices}
        value={options.study_id ?? ''}
        onChange={({ target }) => onChange({ ...options, study_id: target.value || undefined })}
      />
    </label>
  );
}

/** Where the money goes, what a study or the catalogue takes, and what stays open. */
function DraftView({
  draft,
  caption,
  currency,
}: Record<'caption' | 'currency', string> & { draft: Draft }) {
  return (
    <>
      {draft.reconciliation.length > 0 && (
        <table className={styles.sums}>
          <caption>{caption}</caption>
          <tbody>
            {draft.reconciliation.map((row) => (
              <tr key={row.what}>
                <th scope="row">{row.what}</th>
                <td className="figure">{amount(row.amount, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <PreviewTables tables={draft.tables} />
      <NotCovered points={draft.open_points} />
    </>
  );
}

const STUDY = {
  heading: 'Into a study',
  title: 'Title of the study (optional)',
  money: 'Where the money of this bill goes',
  button: 'Make a study of it',
};
const ENTRY = {
  heading: 'Into the catalogue',
  title: 'Title of the entry (optional)',
  money: 'Where the money of this quote goes',
  button: 'Add it to the catalogue',
};

const PRICES = {
  heading: 'Into the catalogue',
  title: '',
  money: '',
  button: 'Take these prices',
};
const SERVERS = { ...PRICES, button: 'Take these servers' };
const WORDS: Partial<Record<string, typeof STUDY>> = {
  quote: ENTRY,
  prices: PRICES,
  price_lists: { ...PRICES, button: 'Take the prices of every region' },
  servers: SERVERS,
};

/** What would be taken from the file, and the button that writes it. */
export function AcceptPanel({ id, makes, preview, onAccepted }: AcceptProps) {
  const [options, setOptions] = useState<Options>({
    cost: preview.suggested_cost,
    mapping: preview.mapping,
  });
  const [title, setTitle] = useState('');
  const [seen, setSeen] = useState(false);
  const unread = preview.unread_rows_count ?? 0;
  const draft = useQuery(draftQueryOptions(id, options));
  const accept = useAccept(id);
  const words = WORDS[makes] ?? STUDY;
  const write = () =>
    accept.mutate(
      { ...options, title, without_unread_rows: seen },
      { onSuccess: (made) => made?.study_id && onAccepted(made.study_id) },
    );
  return (
    <section className={styles.panel} aria-label={words.heading}>
      <h2>{words.heading}</h2>
      {preview.notes.map((note) => (
        <p key={note} role="note">
          {note}
        </p>
      ))}
      <div className={`${styles.fields} fill`}>
        <OptionFields makes={makes} preview={preview} options={options} onChange={setOptions} />
        {words.title && (
          <label>
            {words.title}
            <TextInput
              value={title}
              maxLength={lengthOf('ImportAcceptInput.title')}
              onChange={(e) => setTitle(e.target.value)}
            />
          </label>
        )}
        {makes === 'fleet' && (
          <FleetFields options={options} sized={draft.data?.in_types} onChange={setOptions} />
        )}
        {words === STUDY && <TargetField options={options} onChange={setOptions} />}
      </div>
      {words === STUDY && makes !== 'assumptions' && (
        <DesignsChoice makes={makes} options={options} onChange={setOptions} />
      )}
      {draft.isPending && <Loading minHeight={120} />}
      {draft.isError && <Failed error={draft.error} minHeight={80} />}
      {draft.data && (
        <DraftView draft={draft.data} caption={words.money} currency={preview.currency ?? ''} />
      )}
      {unread > 0 && (
        <label className="row gap-8">
          <input
            type="checkbox"
            checked={seen}
            onChange={({ target }) => setSeen(target.checked)}
          />
          Without the {unread.toLocaleString('en-GB')} {unread === 1 ? 'row' : 'rows'} that could
          not be read
        </label>
      )}
      <Fault of={accept} />
      <Button
        look="primary"
        disabled={!draft.data || accept.isPending || (unread > 0 && !seen)}
        onClick={write}
      >
        {options.study_id ? 'Write it into the study' : words.button}
      </Button>
    </section>
  );
}
