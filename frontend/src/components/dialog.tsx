import * as Radix from '@radix-ui/react-dialog';
import { useLayoutEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { IconButton } from './button';
import { Within } from './within';
import styles from './dialog.module.css';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  footer?: ReactNode;
  width?: number;
  drawer?: boolean;
}

/** What had the focus; of an item in a menu, which closes, the button that opened the menu. */
function focused(): HTMLElement | null {
  const element = document.activeElement;
  const menu = element?.closest('[role="menu"]');
  const opener = menu
    ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
    : element;
  return opener instanceof HTMLElement ? opener : null;
}

/** How each open window is closed, the topmost last. */
const shown: { current: () => void }[] = [];

/**
 * What closes the topmost window. A window that has just opened does not hear the keys yet: the one
 * below it does, for a frame or two, and must not be closed in its stead.
 */
function useTopmost(onClose: () => void): () => void {
  const own = useRef(onClose);
  useLayoutEffect(() => {
    own.current = onClose;
  });
  useLayoutEffect(() => {
    shown.push(own);
    return () => void shown.splice(shown.indexOf(own), 1);
  }, []);
  return () => shown.at(-1)?.current();
}

/** A modal window or, as `drawer`, a panel at the right edge. Mounted means open. */
export function Dialog({ title, onClose, children, footer, width, drawer }: DialogProps) {
  const [opener] = useState(focused);
  const [panel, setPanel] = useState<HTMLDivElement | null>(null);
  const closeTopmost = useTopmost(onClose);
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className={styles.backdrop} />
        <Radix.Content
          ref={setPanel}
          aria-describedby={undefined}
          className={`${styles.dialog} ${drawer ? styles.drawer : ''}`}
          style={width ? ({ '--w': `${width}px` } as CSSProperties) : undefined}
          onOpenAutoFocus={(event) => {
            // Not the close button: a ring around it would be the first thing to be seen.
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            opener?.focus();
          }}
          onEscapeKeyDown={(event) => {
            if (event.defaultPrevented) return;
            event.preventDefault();
            closeTopmost();
          }}
          // What is half typed is not lost by a press beside it.
          onInteractOutside={(event) => event.preventDefault()}
        >
          <header className={styles.head}>
            <Radix.Title>{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton icon="close" label="Close" />
            </Radix.Close>
          </header>
          <div className={styles.body}>
            <Within value={panel}>{children}</Within>
          </div>
          {footer && <footer className={styles.foot}>{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
