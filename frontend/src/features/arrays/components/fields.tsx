import { useId, type ReactNode } from 'react';
import { Icon } from '../../../components/icon';
import styles from './fields.module.css';

interface RowProps {
  label: string;
  children: (id: string) => ReactNode;
}

/** A name and what is chosen beside it. */
export function Row({ label, children }: RowProps) {
  const id = useId();
  return (
    <div className={styles.row}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}

interface PartProps {
  title: string;
  summary?: string;
  open?: boolean;
  children: ReactNode;
}

/** A part of the panel with a head; folds. */
export function Part({ title, summary, open = true, children }: PartProps) {
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
