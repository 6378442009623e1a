import { useId } from 'react';
import { AmountInput } from '../../../components/amount-field';
import { typedUnit } from '../../../lib/units';
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

function fault(value: number, { low, high, whole }: NumberFieldProps): string | null {
  if (whole && !Number.isInteger(value)) return 'Enter a whole number.';
  if (low !== undefined && value < low) return `Enter at least ${low}.`;
  if (high !== undefined && value > high) return `Enter at most ${high}.`;
  return null;
}

/** A number with its unit; what cannot be is said below and not taken. */
export function NumberField(props: NumberFieldProps) {
  const { label, value, unit = '', hint, optional, onChange, onEmpty } = props;
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} title={hint}>
        {label}
      </label>
      <AmountInput
        id={id}
        value={value}
        unit={unit}
        context={{
          name: label,
          bounds: {
            type: props.whole ? 'integer' : 'number',
            minimum: props.low,
            maximum: props.high,
          },
        }}
        beside={<span className="muted small">{typedUnit(unit)}</span>}
        echoClass="right whole"
        faultOf={(read) => fault(read, props)}
        onAmount={(read) => {
          if (read !== null) onChange(read);
          else if (optional) onEmpty?.();
        }}
      />
    </div>
  );
}
