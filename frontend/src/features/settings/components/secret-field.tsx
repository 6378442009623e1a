import { TextInput } from '../../../components/control';
import type { Fault } from '../../../lib/problem';
import { lengthOf } from '../../../lib/lengths';

interface FieldProps {
  id: string;
  label: string;
  value: string;
  type?: 'password' | 'text';
  autoComplete: string;
  faults: readonly Fault[];
  onChange: (value: string) => void;
}

/** A password or a code, with what is wrong with it below. */
export function SecretField({
  id,
  label,
  value,
  type,
  autoComplete,
  faults,
  onChange,
}: FieldProps) {
  return (
    <div className="field">
      <label htmlFor={id} className="muted small">
        {label}
      </label>
      <TextInput
        id={id}
        type={type ?? 'password'}
        required
        maxLength={lengthOf('PasswordInput.new')}
        autoComplete={autoComplete}
        aria-invalid={faults.length > 0 || undefined}
        aria-describedby={faults.length > 0 ? `${id}.fault` : undefined}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <div id={`${id}.fault`}>
        {faults.map(({ code, message }) => (
          <p key={code} className="fault">
            {message}
          </p>
        ))}
      </div>
    </div>
  );
}
