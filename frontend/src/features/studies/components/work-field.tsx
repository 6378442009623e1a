import { useId, type Ref } from 'react';
import { TextInput } from '../../../components/control';
import { Echo } from '../../../components/echo';
import type { Currency } from '../../../lib/format';
import { Button } from '../../../components/button';
import { otherCurrency, typedUnit } from '../../../lib/units';
import { keptNote, textFault, type Field } from '../work';
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
  /** In which currency the study was when this was typed. */
  paidIn?: string;
  /** Between which values the odds have it, where it is proposed to be unsure. */
  range?: string;
  /** The currencies that the study may be in. */
  currencies: readonly Currency[];
  onCurrency: (code: string) => void;
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
  paidIn,
  range,
  currencies,
  onCurrency,
  ref,
  onType,
}: WorkFieldProps) {
  const id = useId();
  const wrong = (touched ? textFault(text, field, currency) : undefined) ?? fault;
  const other = touched ? otherCurrency(text, field.unit, currency) : null;
  const kept = touched && !wrong ? keptNote(text, field, paidIn, currency) : null;
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
          context={{ name: field.label, bounds: field.bounds }}
          fault={wrong}
        />
      )}
      {currencies.some(({ code }) => code === other) && (
        <div>
          <Button small onClick={() => onCurrency(other ?? '')}>
            Plan the study in {other}
          </Button>
        </div>
      )}
      {kept && (
        <p className="small muted" role="status">
          {kept}
        </p>
      )}
      {!wrong && range && <p className="small muted num">Range in the odds: {range}</p>}
    </div>
  );
}
