import { useId, useState } from 'react';
import { numberClass, TextInput } from '../../../components/control';
import { parseTyped, fromTyped, typedText, typedUnit } from '../../../lib/units';
import styles from './tools.module.css';

interface NumberFieldProps {
  label: string;
  value: number | null;
  unit?: string;
  low?: number;
  high?: number;
  whole?: boolean;
  optional?: boolean;
  hint?: string;
  onChange: (value: number) => void;
  onEmpty?: () => void;
}

function fault(value: number | null, { low, high, whole }: NumberFieldProps): string | null {
  if (value === null) return 'Enter a number.';
  if (whole && !Number.isInteger(value)) return 'Enter a whole number.';
  if (low !== undefined && value < low) return `Enter at least ${low}.`;
  if (high !== undefined && value > high) return `Enter at most ${high}.`;
  return null;
}

/** A number with its unit; what cannot be is said below and not taken. */
export function NumberField(props: NumberFieldProps) {
  const { label, value, unit = '', hint, onChange, onEmpty } = props;
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const shown = value === null ? '' : typedText(value, unit);
  const empty = typed !== null && typed.trim() === '' && props.optional;
  const read = typed === null ? null : parseTyped(typed);
  const entered = read === null ? null : fromTyped(read, unit);
  const wrong = typed === null || empty ? null : fault(entered, props);
  const type = (text: string) => {
    setTyped(text);
    const next = parseTyped(text);
    if (text.trim() === '' && props.optional) onEmpty?.();
    else if (next !== null && fault(fromTyped(next, unit), props) === null) {
      onChange(fromTyped(next, unit));
    }
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id} title={hint}>
        {label}
      </label>
      <TextInput
        id={id}
        inputMode="decimal"
        className={numberClass}
        value={typed ?? shown}
        aria-invalid={wrong !== null}
        aria-describedby={wrong ? `${id}-wrong` : undefined}
        onChange={(event) => type(event.target.value)}
        onBlur={() => setTyped(null)}
      />
      <span className="muted small">{typedUnit(unit)}</span>
      {wrong && (
        <p id={`${id}-wrong`} className="small right fault whole">
          {wrong}
        </p>
      )}
    </div>
  );
}
