import type { ReactNode } from 'react';
import { Button } from '../button';
import { FaultList } from './field-row';
import { useFaults, useForm } from './form-context';
import { GroupHead } from './group-head';
import styles from './form.module.css';

interface FoldingGroupProps {
  pointer: string;
  title: string;
  /** One line of what it holds, while it is folded. */
  summary: string;
  description?: string;
  /** Stand in the head while it is open. */
  tools: ReactNode;
  children: ReactNode;
}

/** A part of a document that folds, with the faults of the whole part; a filter opens it. */
export function FoldingGroup(props: FoldingGroupProps) {
  const { pointer, title, summary, description, tools, children } = props;
  const form = useForm();
  const faults = useFaults(pointer);
  const open = form.isOpen(pointer) || form.filter !== '';
  return (
    <section className={styles.group} data-field={pointer}>
      <GroupHead pointer={pointer} title={title} summary={summary} open={open}>
        {open && !form.readOnly && tools}
      </GroupHead>
      <FaultList faults={faults} />
      {open && (
        <div className={styles.groupBody}>
          {description && <p className="muted small">{description}</p>}
          {children}
        </div>
      )}
    </section>
  );
}

/** Takes an optional part out of the document. */
export function RemoveButton({ pointer }: { pointer: string }) {
  const form = useForm();
  return (
    <Button small look="danger" onClick={() => form.change(pointer, null)}>
      Remove
    </Button>
  );
}
