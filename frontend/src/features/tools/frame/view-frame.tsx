import type { ReactNode } from 'react';
import { Icon } from '../../../components/icon';
import { Rich } from '../../../components/rich';
import { messageOf } from '../../../lib/problem';
import told from '../../../components/told/told.module.css';
import styles from './tools.module.css';

interface AnswerProps {
  /** One sentence with its main words in bold; nothing while there is none yet. */
  text: string | null;
  more?: ReactNode;
  waiting?: string;
}

/** What the view finds, in one sentence. */
export function Answer({ text, more, waiting = 'Working it out …' }: AnswerProps) {
  return (
    <div className={styles.answer} data-testid="answer" aria-live="polite">
      <p className={styles.headline}>
        {text === null ? <span className="muted">{waiting}</span> : <Rich text={text} />}
      </p>
      {more && <p className={styles.more}>{more}</p>}
    </div>
  );
}

export function Wrong({ error }: { error: unknown }) {
  if (error == null) return null;
  return (
    <p className="alert" role="alert">
      <Icon name="warning" /> {messageOf(error)}
    </p>
  );
}

/** Inputs beside the evidence; on a narrow screen below it. */
export function Beside({ inputs, children }: { inputs: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.beside}>
      <aside className="stack gap-20 shrink" aria-label="Inputs">
        {inputs}
      </aside>
      <div className={`${styles.evidence} stack gap-16 shrink`}>{children}</div>
    </div>
  );
}

export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack gap-8 shrink" aria-label={title}>
      <h2 className="title">{title}</h2>
      {children}
    </section>
  );
}

interface PanelProps {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A box of evidence that is no chart. */
export function Panel({ title, actions, children }: PanelProps) {
  return (
    <section className={told.panel} aria-label={title}>
      <header className="row apart gap-8">
        <h2 className="title">{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
