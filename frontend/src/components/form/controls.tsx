import type { ReactNode } from 'react';
import { useForm } from './form-context';
import styles from './form.module.css';

/** Controls of a form, all of them disabled where it is read-only. */
export function Controls({ children }: { children: ReactNode }) {
  if (!useForm().readOnly) return children;
  return (
    <fieldset className={styles.bare} disabled>
      {children}
    </fieldset>
  );
}
