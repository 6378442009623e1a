import type { ReactNode } from 'react';
import { Icon } from '../icon';
import { countBelow, useForm } from './form-context';
import styles from './form.module.css';

interface GroupHeadProps {
  pointer: string;
  title: string;
  summary: string;
  open: boolean;
  children?: ReactNode;
}

/** The head of a group that folds: its name, and folded a line of what it holds. */
export function GroupHead({ pointer, title, summary, open, children }: GroupHeadProps) {
  const form = useForm();
  const faults = countBelow(form, pointer);
  return (
    <div className={styles.groupHead}>
      <button
        type="button"
        className={styles.groupButton}
        aria-expanded={open}
        onClick={() => form.setOpen(pointer, !open)}
      >
        <Icon name="chevronRight" size={12} />
        <span className={styles.groupTitle}>{title}</span>
        {faults > 0 && (
          <span className={styles.count} title={faults === 1 ? '1 error' : `${faults} errors`}>
            {faults}
          </span>
        )}
        {!open && <span className={styles.summary}>{summary}</span>}
      </button>
      {children}
    </div>
  );
}
