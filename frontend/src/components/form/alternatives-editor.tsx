import { use, useState } from 'react';
import { Button, IconButton } from '../button';
import { numberClass, Select, TextInput } from '../control';
import { percent, unitLabel } from '../../lib/format';
import type { Json } from '../../lib/pointer';
import { choiceText } from '../../lib/schema';
import { schemaFaults } from '../../lib/schema-faults';
import type { ChoiceEntry } from '../../lib/types';
import { readTyped, typedText } from '../../lib/units';
import { ChoicesContext } from './choices';
import type { FieldProps } from './field-props';
import { useForm } from './form-context';
import styles from './form.module.css';

type Other = ChoiceEntry['others'][number];

interface Typed {
  /** What else goes along with the alternative stays as it is. */
  before?: Other;
  value: string;
  odds: string;
}

/** Values that a field has to choose from; none for a number. */
function valuesOf({ schema }: FieldProps): { value: string; label: string; held: Json }[] {
  if (schema.type === 'boolean') {
    return [true, false].map((held) => ({ value: String(held), label: held ? 'Yes' : 'No', held }));
  }
  return (schema.enum ?? []).map((held) => ({
    value: String(held),
    label: choiceText(schema, String(held)),
    held: held as Json,
  }));
}

/** What an input may turn out to be instead, each with its odds; the rest is as entered. */
export function AlternativesEditor({ field }: { field: FieldProps }) {
  const form = useForm();
  const choices = use(ChoicesContext);
  const pointer = `${form.place ?? ''}${field.pointer}`;
  const set = choices?.all.find((entry) => entry.pointer === pointer);
  const known = valuesOf(field);
  const unit = field.schema.unit ?? '';
  const textOf = (value: Json) =>
    typeof value === 'number' && known.length === 0
      ? typedText(value, unit, form.currency, false)
      : String(value);
  const [rows, setRows] = useState<Typed[]>(
    set?.others.map((before) => ({
      before,
      value: textOf(before.value),
      odds: typedText(before.odds_fraction, 'fraction', form.currency, false),
    })) ?? [],
  );
  const [fault, setFault] = useState('');
  if (!choices) return null;
  const now = String(field.value ?? field.schema.default);
  const read = ({ before, value, odds }: Typed): Other | null => {
    const odds_fraction = readTyped(odds, 'fraction', form.currency);
    const held = known.length
      ? known.find((one) => one.value === value)?.held
      : readTyped(value, unit, form.currency);
    if (held == null || odds_fraction === null) return null;
    return { ...before, value: held, odds_fraction };
  };
  const others = rows.map(read);
  const sum = others.reduce((total, one) => total + (one?.odds_fraction ?? 0), 0);
  const save = () => {
    const whole = others.filter((one) => one !== null);
    if (whole.length < others.length) return setFault('Enter a value and its odds in every line.');
    if (whole.some((one) => one.odds_fraction <= 0) || sum > 1) {
      return setFault('Enter odds above 0% that are at most 100% together.');
    }
    const [beyond] = whole.flatMap((one) => schemaFaults(field.schema, form.root, one.value));
    if (beyond) return setFault(beyond.message);
    setFault('');
    choices.set(pointer, whole.length ? whole : null);
  };
  const change = (at: number, part: Partial<Typed>) => {
    setFault('');
    setRows(rows.map((row, place) => (place === at ? { ...row, ...part } : row)));
  };
  const label = unitLabel(unit, form.currency);
  return (
    <div>
      <p className="muted small">
        {rows.length === 0
          ? 'No alternatives: the odds take this as settled.'
          : `As entered in ${percent(Math.max(1 - sum, 0))} of the simulations, else:`}
      </p>
      {rows.map((row, at) => (
        <div key={at} className={styles.range}>
          <label>
            Alternative {label && `(${label})`}
            {known.length > 0 ? (
              <Select
                aria-label={`Alternative ${at + 1}`}
                choices={[
                  { value: '', label: 'Choose' },
                  ...known.filter(({ value }) => value !== now || value === row.value),
                ].map(({ value, label: text }) => ({ value, label: text }))}
                value={row.value}
                onChange={(event) => change(at, { value: event.target.value })}
              />
            ) : (
              <TextInput
                aria-label={`Alternative ${at + 1}`}
                inputMode="decimal"
                className={numberClass}
                value={row.value}
                onChange={(event) => change(at, { value: event.target.value })}
              />
            )}
          </label>
          <label>
            Odds (%)
            <TextInput
              aria-label={`Odds of alternative ${at + 1} (%)`}
              inputMode="decimal"
              className={numberClass}
              value={row.odds}
              onChange={(event) => change(at, { odds: event.target.value })}
            />
          </label>
          <IconButton
            small
            icon="trash"
            label={`Remove alternative ${at + 1}`}
            onClick={() => setRows(rows.filter((_, place) => place !== at))}
          />
        </div>
      ))}
      {fault && <p className={styles.fault}>{fault}</p>}
      <div className="row gap-8">
        <Button small look="quiet" onClick={() => setRows([...rows, { value: '', odds: '' }])}>
          Add an alternative
        </Button>
        {(rows.length > 0 || set) && (
          <Button small onClick={save}>
            {set ? 'Change' : 'Set alternatives'}
          </Button>
        )}
      </div>
    </div>
  );
}
