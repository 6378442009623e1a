import type { InputHTMLAttributes, Ref, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { useId } from 'react';
import styles from './control.module.css';

type InputProps = InputHTMLAttributes<HTMLInputElement> & {
  large?: boolean;
  ref?: Ref<HTMLInputElement>;
};

const NEAR = 0.8;
// Shorter ones are codes, such as a currency's.
const SHORTEST = 20;

/** How much of a text's room is taken, once little is left. */
function Room({ value, most }: { value: unknown; most: number | undefined }) {
  const length = typeof value === 'string' ? value.length : 0;
  if (most === undefined || most < SHORTEST || length < most * NEAR) return null;
  return (
    <span className={`${styles.room} muted small`} role="status">
      {length === most
        ? `${most} characters, the most there may be`
        : `${length} of ${most} characters`}
    </span>
  );
}

export function TextInput({ large, className, ...rest }: InputProps) {
  const names = [styles.control, large && styles.large, className];
  return (
    <>
      <input type="text" {...rest} className={names.filter(Boolean).join(' ')} />
      <Room value={rest.value} most={rest.maxLength} />
    </>
  );
}

export const numberClass = 'right';

export function TextArea(props: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <>
      <textarea rows={3} {...props} className={styles.control} />
      <Room value={props.value} most={props.maxLength} />
    </>
  );
}

interface Choice {
  value: string;
  label: string;
}

type SelectProps = SelectHTMLAttributes<HTMLSelectElement> & { choices: readonly Choice[] };

export function Select({ choices, ...rest }: SelectProps) {
  return (
    <select {...rest} className={styles.control}>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}

interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label?: string;
  id?: string;
  describedBy?: string;
}

/** Yes or no. Without a label of its own it is named by the label that points at its id. */
export function Switch({ checked, onChange, label, id, describedBy }: SwitchProps) {
  const input = (
    <input
      type="checkbox"
      role="switch"
      id={id}
      checked={checked}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
  if (label) {
    return (
      <label className={styles.switch}>
        {input} {label}
      </label>
    );
  }
  return (
    <span className={styles.switch}>
      {input} <span aria-hidden="true">{checked ? 'Yes' : 'No'}</span>
    </span>
  );
}

interface SegmentsProps {
  label: string;
  value: string;
  choices: readonly Choice[];
  onChange: (value: string) => void;
}

/** One of a few, all in sight. */
export function Segments({ label, value, choices, onChange }: SegmentsProps) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles.segments}>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}
