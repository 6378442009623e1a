import { useId, useState, type ReactNode } from 'react';
import { IconButton } from '../../../components/button';
import { numberClass, Select, Switch, TextInput } from '../../../components/control';
import { Icon } from '../../../components/icon';
import { parseTyped } from '../../../lib/units';
import styles from './fields.module.css';

interface RowProps {
  label: string;
  hint?: string;
  fault?: string;
  wide?: boolean;
  children: (id: string) => ReactNode;
}

export function FaultLine({ text }: { text: string }) {
  return (
    <p className={styles.fault}>
      <Icon name="warning" size={14} /> {text}
    </p>
  );
}

export function Row({ label, hint, fault, wide = false, children }: RowProps) {
  const id = useId();
  return (
    <div className={`${styles.row} ${wide ? styles.wide : ''}`}>
      <label htmlFor={id} title={hint}>
        {label}
      </label>
      {children(id)}
      {fault && <FaultLine text={fault} />}
    </div>
  );
}

interface NumberRowProps {
  label: string;
  unit?: string;
  hint?: string;
  fault?: string;
  value: number | null;
  /** What one of the shown unit is in the stored one: 1024 for KiB. */
  scale?: number;
  least?: number;
  most?: number;
  whole?: boolean;
  /** Shown while empty; a field that has one may be empty. */
  empty?: string;
  onChange: (value: number | null) => void;
}

function faultOf(text: string, props: NumberRowProps): string | null {
  const { least = 0, most, whole, empty, unit } = props;
  if (text.trim() === '') return empty === undefined ? 'Enter a number.' : null;
  const number = parseTyped(text);
  const suffix = unit ? ` ${unit}` : '';
  if (number === null) return 'This is not a number.';
  if (number < least) return `Enter at least ${least}${suffix}.`;
  if (most !== undefined && number > most)
    return `Enter at most ${most.toLocaleString('en-GB')}${suffix}.`;
  return whole && !Number.isInteger(number) ? 'Enter a whole number.' : null;
}

function shownText(value: number | null, scale: number): string {
  return value === null ? '' : String(Number((value / scale).toPrecision(6)));
}

/** A number as it is typed: its box, and what is wrong with it. */
function useNumber(props: NumberRowProps) {
  const { label, unit, value, scale = 1, empty, onChange } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const own = typed === null ? null : faultOf(typed, props);
  const fault = own ?? props.fault;
  const change = (text: string) => {
    setTyped(text);
    if (faultOf(text, props) !== null) return;
    onChange(text.trim() === '' ? null : (parseTyped(text) ?? 0) * scale);
  };
  const box = (id?: string) => (
    <span className={styles.box}>
      <TextInput
        id={id}
        aria-label={id === undefined ? label : undefined}
        inputMode="decimal"
        autoComplete="off"
        className={numberClass}
        aria-invalid={fault ? true : undefined}
        placeholder={empty}
        value={typed ?? shownText(value, scale)}
        onChange={(event) => change(event.target.value)}
        onBlur={() => own === null && setTyped(null)}
      />
      {unit && <span className={styles.unit}>{unit}</span>}
    </span>
  );
  return { fault, box };
}

/** A number with its unit. What cannot be stays in the field, with what would be right. */
export function NumberRow(props: NumberRowProps) {
  const { fault, box } = useNumber(props);
  return (
    <Row label={props.label} hint={props.hint} fault={fault}>
      {(id) => box(id)}
    </Row>
  );
}

interface PairRowProps {
  first: NumberRowProps;
  second: NumberRowProps;
  /** What the two come to. */
  note?: string;
  /** Nothing where the row has to stay. */
  onRemove: (() => void) | null;
}

/** Two numbers that belong together, as a row of a list. */
export function PairRow({ first, second, note, onRemove }: PairRowProps) {
  const [one, other] = [useNumber(first), useNumber(second)];
  const fault = one.fault ?? other.fault;
  return (
    <div className={styles.pair}>
      {one.box()}
      {other.box()}
      <span className={styles.pairNote}>{note}</span>
      <IconButton
        small
        icon="trash"
        label={`Remove ${first.label.toLowerCase()}`}
        disabled={onRemove === null}
        onClick={() => onRemove?.()}
      />
      {fault && <FaultLine text={fault} />}
    </div>
  );
}

interface TextRowProps {
  label: string;
  hint?: string;
  value: string;
  placeholder?: string;
  onChange: (value: string) => void;
}

export function TextRow({ label, hint, value, placeholder, onChange }: TextRowProps) {
  return (
    <Row label={label} hint={hint} wide>
      {(id) => (
        <TextInput
          id={id}
          value={value}
          maxLength={120}
          placeholder={placeholder}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Row>
  );
}

interface SelectRowProps<T extends string> {
  label: string;
  hint?: string;
  value: T;
  choices: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
}

export function SelectRow<T extends string>(props: SelectRowProps<T>) {
  const { label, hint, value, choices, onChange } = props;
  return (
    <Row label={label} hint={hint} wide>
      {(id) => (
        <Select
          id={id}
          value={value}
          choices={choices}
          onChange={(event) => onChange(event.target.value as T)}
        />
      )}
    </Row>
  );
}

interface SwitchRowProps {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function SwitchRow({ label, hint, checked, onChange }: SwitchRowProps) {
  return (
    <Row label={label} hint={hint}>
      {(id) => <Switch id={id} checked={checked} onChange={onChange} />}
    </Row>
  );
}

/** A part of the panel with a head; folds. */
export function Part({
  title,
  summary,
  open = true,
  children,
}: {
  title: string;
  summary?: string;
  open?: boolean;
  children: ReactNode;
}) {
  return (
    <details className={styles.part} open={open}>
      <summary>
        <Icon name="chevronRight" size={14} />
        <h2>{title}</h2>
        {summary && <span className={styles.summary}>{summary}</span>}
      </summary>
      <div className={styles.partBody}>{children}</div>
    </details>
  );
}
