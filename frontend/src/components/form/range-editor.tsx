import { useState } from 'react';
import { Button } from '../button';
import { numberClass, TextInput } from '../control';
import { Echo, isRefused } from '../echo';
import { unitLabel } from '../../lib/format';
import { numberFault } from '../../lib/schema-faults';
import type { Origin } from '../../lib/types';
import { readTyped, typedText } from '../../lib/units';
import { useForm } from './form-context';
import type { FieldProps } from './field-props';
import styles from './form.module.css';

interface Ends {
  low: string;
  high: string;
}

function useEnds(field: FieldProps, origin: Origin | undefined): Ends {
  const form = useForm();
  const set = form.ranges.get(field.pointer);
  const unit = field.schema.unit ?? '';
  const text = (value: number | null | undefined) =>
    value == null ? '' : typedText(value, unit, form.currency, false);
  return { low: text(set?.low ?? origin?.low), high: text(set?.high ?? origin?.high) };
}

/** What becomes of the range when the value is typed over. */
function noteOn(
  set: { low: number; high: number } | undefined,
  origin: Origin | undefined,
): string {
  if (!set) {
    return 'No range: the odds take this number as exact. The range of a source goes when its value is typed over.';
  }
  return set.low === origin?.low && set.high === origin.high
    ? 'The range of its source. It goes when the value is typed over: the source does not speak of another value.'
    : 'Set by hand. It stays when the value is typed over.';
}

/** The lowest and highest value that a number may turn out to have: what the odds draw from. */
export function RangeEditor({ field, origin }: { field: FieldProps; origin: Origin | undefined }) {
  const form = useForm();
  const start = useEnds(field, origin);
  const [ends, setEnds] = useState(start);
  const [fault, setFault] = useState('');
  const unit = field.schema.unit ?? '';
  const set = form.ranges.get(field.pointer);
  const label = unitLabel(unit, form.currency);
  const isSet = set !== undefined;
  /** Why an end is none: what it is of does not take it; an end of a whole number may be between. */
  const beyond = (end: number | null) =>
    end === null ? null : numberFault({ ...field.schema, type: 'number' }, end, form.currency);
  const save = () => {
    const low = readTyped(ends.low, unit, form.currency);
    const high = readTyped(ends.high, unit, form.currency);
    if (low === null || high === null || low > high) {
      // Beside a field that says what it accepts nothing more is said.
      const isRead = low !== null && high !== null;
      setFault(isRead ? 'Enter a lowest value that is not above the highest.' : '');
      return;
    }
    if ([low, high].some((end) => beyond(end) !== null)) return;
    setFault('');
    form.setRange?.(field.pointer, { low, high });
  };
  const input = (name: keyof Ends, title: string) => {
    const refusal = beyond(readTyped(ends[name], unit, form.currency));
    return (
      <label>
        {title} {label && `(${label})`}
        <TextInput
          aria-label={label ? `${title} (${label})` : title}
          inputMode="decimal"
          className={numberClass}
          value={ends[name]}
          aria-invalid={isRefused(ends[name], unit, form.currency) || refusal !== null || undefined}
          onChange={(event) => {
            setFault('');
            setEnds({ ...ends, [name]: event.target.value });
          }}
        />
        <Echo
          text={ends[name] === start[name] ? null : ends[name]}
          unit={unit}
          currency={form.currency}
          fault={refusal}
        />
      </label>
    );
  };
  return (
    <div>
      <div className={styles.range}>
        {input('low', 'Lowest')}
        {input('high', 'Highest')}
        <Button small onClick={save}>
          {isSet ? 'Change' : 'Set range'}
        </Button>
      </div>
      <p className="muted small">{noteOn(set, origin)}</p>
      {fault && <p className={styles.fault}>{fault}</p>}
      {isSet && (
        <Button small look="quiet" onClick={() => form.setRange?.(field.pointer, null)}>
          Take the range away
        </Button>
      )}
    </div>
  );
}
