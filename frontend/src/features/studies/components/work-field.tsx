import { useId, type Ref } from 'react';
import { TextInput } from '../../../components/control';
import { Echo } from '../../../components/echo';
import type { Currency } from '../../../lib/format';
import { typedUnit } from '../../../lib/units';
import { textFault, type Field } from '../work';
import styles from './new-study.module.css';

interface WorkFieldProps {
  field: Field;
  text: string;
  /** What counts while nothing stands in it. */
  otherwise: string;
  /** Whether it was typed into: nothing is wrong with what nobody touched. */
  touched: boolean;
  fault?: string;
  currency: Currency;
  ref?: Ref<HTMLInputElement>;
  onType: (text: string) => void;
}

/** One number with its unit, echoed as it is understood: 2 TiB, 40 TB, 30%. */
export function WorkField({
  field,
  text,
  otherwise,
  touched,
  fault,
  currency,
  ref,
  onType,
}: WorkFieldProps) {
  const id = useId();
  const wrong = touched ? (textFault(text, field, currency) ?? fault) : undefined;
  return (
    <div className={styles.field}>
      <label htmlFor={id} title={field.hint}>
        {field.label}
      </label>
      <span className={styles.input}>
        <TextInput
          ref={ref}
          id={id}
          inputMode="text"
          value={text}
          placeholder={otherwise}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => onType(event.target.value)}
          onFocus={(event) => event.target.select()}
        />
        <span className="muted small">{typedUnit(field.unit, currency)}</span>
      </span>
      {text.trim() === '' && field.empty && !wrong ? (
        <p id={`${id}-note`} className="small muted">
          Empty: {field.empty}
        </p>
      ) : (
        <Echo
          id={`${id}-note`}
          text={touched ? text : null}
          unit={field.unit}
          currency={currency}
          context={{ name: field.label }}
          fault={wrong}
        />
      )}
    </div>
  );
}
