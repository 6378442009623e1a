import { useState } from 'react';
import { qualityWord } from '../../../components/chip';
import { Select, TextInput } from '../../../components/control';
import { Echo, isRefused } from '../../../components/echo';
import { FormDialog } from '../../../components/form-dialog';
import { Table } from '../../../components/table';
import { unitLabel } from '../../../lib/format';
import { useSavePack } from '../../../lib/packs';
import { messageOf, Problem } from '../../../lib/problem';
import type { Pack, PackField, PackInput } from '../../../lib/types';
import { readTyped, typedText, typedUnit } from '../../../lib/units';
import { lengthOf } from '../../../lib/lengths';
import styles from './settings.module.css';

type Values = PackInput['values'];
type Value = Values[string];

/** One row of the form: texts as typed. */
interface Row {
  value: string;
  low: string;
  high: string;
  source: string;
  as_of: string;
  quality: NonNullable<Value['quality']>;
}

const QUALITIES = ['published', 'measured', 'derived', 'recalled', 'assumed', 'typed'].map(
  (value) => ({ value, label: qualityWord(value) }),
);
const BLANK: Row = { value: '', low: '', high: '', source: '', as_of: '', quality: 'typed' };

function rowOf(field: PackField, held: Pack['values'][string] | undefined): Row {
  if (typeof held?.value !== 'number') return BLANK;
  const text = (value: number | null) =>
    value === null ? '' : typedText(value, field.unit, undefined, false);
  return {
    value: text(held.value),
    low: text(held.low),
    high: text(held.high),
    source: held.source,
    as_of: held.as_of ?? '',
    quality: held.quality,
  };
}

function valueOf(field: PackField, row: Row, held?: Pack['values'][string]): Value {
  const number = (text: string) => (text.trim() ? readTyped(text, field.unit) : null);
  return {
    value: number(row.value) ?? row.value,
    low: number(row.low),
    high: number(row.high),
    quality: row.quality,
    ...(row.source.trim() && { source: row.source.trim() }),
    as_of: row.as_of || null,
    // What has no field here stays with the number that it is of.
    url: held && held.source === row.source ? held.url : null,
    note: held?.note ?? '',
  };
}

interface PackFormProps {
  fields: readonly PackField[];
  /** The pack that is changed, or that a new one begins as. */
  from?: Pack;
  isNew: boolean;
  onClose: () => void;
}

/** A pack's numbers, each with range, source, date and quality; saving makes a version. */
export function PackForm({ fields, from, isNew, onClose }: PackFormProps) {
  const save = useSavePack();
  const [title, setTitle] = useState(isNew && from ? `Copy of ${from.title}` : (from?.title ?? ''));
  const [starts] = useState<Record<string, Row>>(() =>
    Object.fromEntries(fields.map((field) => [field.name, rowOf(field, from?.values[field.name])])),
  );
  const [rows, setRows] = useState(starts);
  const textOf = (field: PackField, part: 'value' | 'low' | 'high') =>
    rows[field.name]?.[part] ?? '';
  const change = (name: string, part: Partial<Row>) =>
    setRows((now) => ({ ...now, [name]: { ...(now[name] ?? BLANK), ...part } }));
  const faults = save.error instanceof Problem ? save.error.faults : [];
  const submit = () => {
    const kept = Object.entries(from?.values ?? {}).filter(([, { unit }]) => unit === null);
    const entered = fields.flatMap((field): [string, Value][] => {
      const row = rows[field.name] ?? BLANK;
      return row.value.trim() ? [[field.name, valueOf(field, row, from?.values[field.name])]] : [];
    });
    const values = Object.fromEntries([...kept, ...entered]) as Values;
    const of = isNew ? undefined : from;
    save.mutate({ title: title.trim(), values, of }, { onSuccess: onClose });
  };
  const input = (field: PackField, part: 'value' | 'low' | 'high', label: string) => (
    <>
      <TextInput
        aria-label={`${field.title}, ${label}`}
        aria-invalid={isRefused(textOf(field, part), field.unit) || undefined}
        inputMode="decimal"
        value={textOf(field, part)}
        onChange={({ target }) => change(field.name, { [part]: target.value })}
      />
      <Echo
        text={textOf(field, part) === starts[field.name]?.[part] ? null : textOf(field, part)}
        unit={field.unit}
        fault={null}
      />
    </>
  );
  return (
    <FormDialog
      title={isNew ? 'New assumption pack' : `Edit ${from?.title}`}
      width={1120}
      save={isNew ? 'Add' : `Save as version ${(from?.version ?? 0) + 1}`}
      of={save}
      tells
      onSave={submit}
      onClose={onClose}
    >
      <label>
        Title
        <TextInput
          required
          maxLength={lengthOf('PackInput.title')}
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
      </label>
      <Table
        label="Assumptions"
        className={`${styles.tokens} table ${styles.packForm}`}
        heads={['Assumption', 'Value', 'Low', 'High', 'Quality', 'Source', 'Date']}
      >
        {fields.map((field) => (
          <tr key={field.name}>
            <th scope="row">
              {field.title} <span className="muted small">{unitLabel(typedUnit(field.unit))}</span>
            </th>
            <td>{input(field, 'value', 'value')}</td>
            <td>{input(field, 'low', 'low')}</td>
            <td>{input(field, 'high', 'high')}</td>
            <td>
              <Select
                aria-label={`${field.title}, quality`}
                value={rows[field.name]?.quality ?? 'typed'}
                choices={QUALITIES}
                onChange={({ target }) =>
                  change(field.name, { quality: target.value as Row['quality'] })
                }
              />
            </td>
            <td>
              <TextInput
                aria-label={`${field.title}, source`}
                value={rows[field.name]?.source ?? ''}
                onChange={({ target }) => change(field.name, { source: target.value })}
              />
            </td>
            <td>
              <TextInput
                type="date"
                aria-label={`${field.title}, date`}
                value={rows[field.name]?.as_of ?? ''}
                onChange={({ target }) => change(field.name, { as_of: target.value })}
              />
            </td>
          </tr>
        ))}
      </Table>
      {save.isError && (
        <p className="fault" role="alert">
          {messageOf(save.error)}{' '}
          {faults.map(({ pointer, message }) => `${nameOf(pointer, fields)}: ${message}`).join(' ')}
        </p>
      )}
    </FormDialog>
  );
}

function nameOf(pointer: string, fields: readonly PackField[]): string {
  const name = pointer.split('/')[2];
  return fields.find((field) => field.name === name)?.title ?? pointer;
}
