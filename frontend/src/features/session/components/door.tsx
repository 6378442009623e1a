import type { ReactNode } from 'react';
import { Icon } from '../../../components/icon';
import { Logo } from '../../../components/logo';
import { messageOf } from '../../../lib/problem';
import styles from './sign-in.module.css';

/** The card of every page that one sees before one is in. */
export function Door({ children }: { children: ReactNode }) {
  return (
    <main className={styles.screen}>
      <div className={styles.card}>
        <div className={styles.brand}>
          <Logo /> Ampacity
        </div>
        {children}
      </div>
    </main>
  );
}

export function DoorFault({ error }: { error: unknown }) {
  return (
    <p className={styles.fault} role="alert">
      <Icon name="warning" />
      {messageOf(error)}
    </p>
  );
}
