import type { ReactNode } from 'react';
import { Icon } from '../icon';
import type { Fault } from '../../lib/problem';
import { unitLabel } from '../../lib/format';
import { asTyped } from '../../lib/typed-number';
import { AboutMark, FromFile } from './about';
import { Controls } from './controls';
import type { FieldProps } from './field-props';
import { fieldId, useFaults, useForm } from './form-context';
import styles from './form.module.css';

export function FaultList({ id, faults }: { id?: string; faults: readonly Fault[] }) {
  return faults.map((fault) => (
    <p key={`${fault.code} ${fault.message}`} id={id} className={styles.fault}>
      <Icon name="warning" size={14} />
      {asTyped(fault.message)}
    </p>
  ));
}

export interface ControlProps {
  id: string;
  'aria-invalid': boolean | undefined;
  'aria-describedby': string | undefined;
}

interface FieldRowProps {
  field: FieldProps;
  /** Whether the unit stands beside the control, in one box with it. */
  withUnit?: boolean;
  /** Below the control: what was understood of what is typed, or what the field accepts. */
  below?: ReactNode;
  /** Whether what is typed is refused here already, so that nothing more is said of it. */
  isRefused?: boolean;
  /** What it takes, with an example: what a missing value is asked for by. */
  accepts?: string;
  children: (control: ControlProps) => ReactNode;
}

/** A field: name, where its value comes from, the control, its unit, and what is wrong. */
export function FieldRow(props: FieldRowProps) {
  const { field, withUnit = false, below, isRefused = false, accepts, children } = props;
  const form = useForm();
  const found = useFaults(field.pointer);
  const worded = (fault: Fault) =>
    accepts && fault.code === 'missing' ? { ...fault, message: `Required. ${accepts}` } : fault;
  const faults = isRefused ? [] : found.map(worded);
  const id = fieldId(form, field.pointer);
  const cautions = form.cautions.get(field.pointer) ?? [];
  const faultId = `${id}.fault`;
  const unit = unitLabel(field.schema.typed_unit ?? field.schema.unit, form.currency);
  const control: ControlProps = {
    id,
    'aria-invalid': isRefused || faults.length > 0 || undefined,
    'aria-describedby': faults.length > 0 ? faultId : below ? `${id}.echo` : undefined,
  };
  return (
    <div className={styles.row} data-field={field.pointer}>
      <label className={styles.label} htmlFor={id}>
        {field.label}
      </label>
      <AboutMark field={field} />
      <Controls>
        {withUnit ? (
          <span className={styles.box}>
            {children(control)}
            {unit && <span className={styles.unit}>{unit}</span>}
          </span>
        ) : (
          children(control)
        )}
      </Controls>
      {/* What was understood of a value that is refused would say that it is taken. */}
      {faults.length === 0 && below}
      <FromFile field={field} />
      <FaultList id={faultId} faults={faults} />
      {cautions.map(({ code, message }) => (
        <p key={`${code} ${message}`} className={`${styles.fault} warning`}>
          <Icon name="warning" size={14} />
          {asTyped(message)}
        </p>
      ))}
    </div>
  );
}
