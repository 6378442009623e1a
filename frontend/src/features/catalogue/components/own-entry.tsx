import { useState } from 'react';
import { Button, IconButton } from '../../../components/button';
import { TextInput } from '../../../components/control';
import { Echo } from '../../../components/echo';
import { FormDialog } from '../../../components/form-dialog';
import { Problem } from '../../../lib/problem';
import { words } from '../../../lib/schema';
import { numberText } from '../../../lib/typed-number';
import { readTyped } from '../../../lib/units';
import type { CatalogueEntry } from '../../../lib/types';
import { lengthOf } from '../../../lib/lengths';
import { useSaveEntry, type EnteredValue } from '../api/own-entries';
import styles from './catalogue.module.css';

interface Row {
  name: string;
  text: string;
}

/** Units by field; null of a text. */
type Units = Readonly<Record<string, string | null>>;

interface OwnEntryProps {
  kind: string;
  /** Fields that entries of the kind have, to choose from. */
  units: Units;
  /** The fields that a new entry begins with. */
  starts: readonly string[];
  entry?: CatalogueEntry;
  onClose: () => void;
}

const rowsOf = (entry: CatalogueEntry): Row[] =>
  Object.entries(entry.values).map(([name, { value }]) => ({ name, text: textOf(value) }));

const textOf = (value: number | string | number[]) =>
  typeof value === 'number' ? numberText(value, undefined, false) : String(value);

/** What a field's number is in; a share is typed as it is held, with a sign of percent also so. */
function unitIn(text: string, unit: string | null | undefined): string {
  if (!unit?.startsWith('fraction')) return unit ?? '';
  return text.includes('%') ? unit : '';
}

function valueOf(text: string, unit: string | null | undefined): number | string {
  if (unit === null) return text.trim();
  return readTyped(text, unitIn(text, unit)) ?? text.trim();
}

/** What is entered, each field with its source; a field that stays as it was keeps its own. */
function valuesOf(
  rows: readonly Row[],
  origin: Omit<EnteredValue, 'value'>,
  units: Units,
  was?: CatalogueEntry,
) {
  const given = rows.filter(({ name, text }) => name.trim() !== '' && text.trim() !== '');
  return Object.fromEntries(
    given.map(({ name, text }) => {
      const held = was?.values[name.trim()];
      const kept = held && textOf(held.value) === text ? held : null;
      return [name.trim(), kept ?? { value: valueOf(text, units[name.trim()]), ...origin }];
    }),
  ) as Record<string, EnteredValue>;
}

/** An entry of one's own: its name, its figures, where they come from. */
export function OwnEntry({ kind, units, starts, entry, onClose }: OwnEntryProps) {
  const [title, setTitle] = useState(entry?.title ?? '');
  const [rows, setRows] = useState<Row[]>(
    entry ? rowsOf(entry) : starts.map((name) => ({ name, text: '' })),
  );
  const [source, setSource] = useState('');
  const [day, setDay] = useState('');
  const save = useSaveEntry();
  const change = (at: number, row: Partial<Row>) =>
    setRows((now) => now.map((one, here) => (here === at ? { ...one, ...row } : one)));
  const faults = save.error instanceof Problem ? save.error.faults : [];
  const faultOf = (name: string) =>
    faults.find(({ pointer }) => pointer.startsWith(`/values/${name}`))?.message;
  const submit = () => {
    const origin = { ...(source && { source }), ...(day && { as_of: day }) };
    const values = valuesOf(rows, origin, units, entry);
    save.mutate({ kind, title: title.trim(), values, entry }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={entry ? `Edit ${entry.title}` : `Add an entry: ${words(kind).toLowerCase()}`}
      width={640}
      save="Save"
      of={save}
      onSave={submit}
      onClose={onClose}
    >
      <label>
        Title
        <TextInput
          required
          maxLength={lengthOf('CatalogueEntryInput.title')}
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
      </label>
      <datalist id="own-entry-fields">
        {Object.keys(units).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {rows.map((row, at) => (
        <div key={at} className={styles.field}>
          <TextInput
            aria-label={`Field ${at + 1}`}
            list="own-entry-fields"
            value={row.name}
            placeholder="idle_w"
            onChange={({ target }) => change(at, { name: target.value })}
          />
          <TextInput
            aria-label={`Value of ${row.name || `field ${at + 1}`}`}
            aria-invalid={faultOf(row.name) ? true : undefined}
            value={row.text}
            onChange={({ target }) => change(at, { text: target.value })}
          />
          <IconButton
            icon="trash"
            label={`Remove ${row.name || `field ${at + 1}`}`}
            onClick={() => setRows((now) => now.filter((_, here) => here !== at))}
          />
          <Echo
            className="whole"
            text={typeof valueOf(row.text, units[row.name]) === 'number' ? row.text : null}
            unit={unitIn(row.text, units[row.name])}
            fault={faultOf(row.name)}
          />
        </div>
      ))}
      <div>
        <Button
          small
          icon="plus"
          onClick={() => setRows((now) => [...now, { name: '', text: '' }])}
        >
          Add a field
        </Button>
      </div>
      <p className="muted small">A field’s name ends in its unit: usd_per_h, ram_gib, idle_w.</p>
      <div className={styles.pair}>
        <label>
          Source
          <TextInput
            value={source}
            placeholder="Quote 17 of Example Ltd"
            onChange={({ target }) => setSource(target.value)}
          />
        </label>
        <label>
          Date of the source
          <TextInput type="date" value={day} onChange={({ target }) => setDay(target.value)} />
        </label>
      </div>
    </FormDialog>
  );
}
