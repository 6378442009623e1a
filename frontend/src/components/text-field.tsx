import type { ComponentProps } from 'react';
import { TextInput } from './control';

interface TextFieldProps extends Omit<ComponentProps<typeof TextInput>, 'onChange' | 'className'> {
  label: string;
  /** Of the label, which holds the field. */
  className?: string;
  onText: (text: string) => void;
}

/** A field of a form below its label. */
export function TextField({ label, className, onText, ...input }: TextFieldProps) {
  return (
    <label className={className}>
      <span className="muted small">{label}</span>
      <TextInput {...input} onChange={({ target }) => onText(target.value)} />
    </label>
  );
}
