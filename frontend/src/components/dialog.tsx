import { useEffect, useRef, type CSSProperties, type ReactNode } from 'react';
import { IconButton } from './button';
import styles from './dialog.module.css';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  footer?: ReactNode;
  width?: number;
  drawer?: boolean;
}

/** A modal window or, as `drawer`, a panel at the right edge. Mounted means open. */
export function Dialog({ title, onClose, children, footer, width, drawer }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) {
      dialog.showModal();
      // Not the close button: a ring around it would be the first thing to be seen.
      dialog.focus();
    }
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-label={title}
      tabIndex={-1}
      className={`${styles.dialog} ${drawer ? styles.drawer : ''}`}
      style={width ? ({ '--w': `${width}px` } as CSSProperties) : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className={styles.head}>
        <h2>{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      <div className={styles.body}>{children}</div>
      {footer && <footer className={styles.foot}>{footer}</footer>}
    </dialog>
  );
}
