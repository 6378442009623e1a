import type { ReactNode } from 'react';
import { TextInput } from '../../../components/control';
import { Icon } from '../../../components/icon';
import { Logo } from '../../../components/logo';
import { messageOf } from '../../../lib/problem';
import { lengthOf } from '../../../lib/lengths';
import styles from './sign-in.module.css';

/** The card of every page that one sees before one is in. */
export function Door({ children }: { children: ReactNode }) {
  return (
    <main className={styles.screen}>
      <div className={styles.card}>
        <div className="brand">
          <Logo /> Ampacity
        </div>
        {children}
      </div>
    </main>
  );
}

interface DoorFieldProps {
  label: string;
  /** What the browser may fill in: the address, or a password. */
  autoComplete: 'username' | 'current-password' | 'new-password';
  readOnly?: boolean;
  value: string;
  onChange: (value: string) => void;
}

/** An address or a password. */
export function DoorField({ label, onChange, ...input }: DoorFieldProps) {
  return (
    <label>
      {label}
      <TextInput
        large
        type={input.autoComplete === 'username' ? 'email' : 'password'}
        required
        onChange={(event) => onChange(event.target.value)}
        {...input}
      />
    </label>
  );
}

export function DoorFault({ error }: { error: unknown }) {
  return (
    <p className="alert" role="alert">
      <Icon name="warning" />
      {messageOf(error)}
    </p>
  );
}

export function CodeField({ value, onChange }: { value: string; onChange: (v: string) => void }) {
  return (
    <label>
      Code
      <TextInput
        large
        autoComplete="one-time-code"
        required
        maxLength={lengthOf('SessionCreateInput.otp')}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
