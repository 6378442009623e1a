import { useId } from 'react';
import { AmountInput } from '../../../components/amount-field';
import { refusalOf, typedUnit } from '../../../lib/units';
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

const boundsOf = ({ low: minimum, high: maximum, whole }: NumberFieldProps) => ({
  type: whole ? 'integer' : 'number',
  minimum,
  maximum,
});

function fault(value: number, props: NumberFieldProps): string | null {
  const { low, high, whole, unit = '' } = props;
  if (whole && !Number.isInteger(value)) {
    return refusalOf(unit, undefined, '', { bounds: boundsOf(props) });
  }
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
        context={{ name: label, bounds: boundsOf(props) }}
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
