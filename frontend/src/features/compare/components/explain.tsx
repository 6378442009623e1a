import { createContext, use, useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import { PopoverAnchor, PopoverPanel, PopoverRoot } from '../../../components/popover';
import type { Currency } from '../../../lib/format';
import type { StudyDocument } from '../../../lib/types';
import type { Explanation } from '../explanation';
import { ExplainBody } from './explain-body';
import styles from './explain.module.css';

interface Open {
  anchor: HTMLElement;
  of: () => Explanation;
  pinned: boolean;
}

interface Explainer {
  hover: (anchor: HTMLElement, of: () => Explanation) => void;
  leave: () => void;
  pin: (anchor: HTMLElement, of: () => Explanation) => void;
}

const Context = createContext<Explainer | null>(null);
const APPEAR_MS = 350;
const LINGER_MS = 180;
/** What appears on hover leaves the focus where it is. */
const stay = (event: Event) => event.preventDefault();

interface ExplainProviderProps {
  studyId: string;
  /** The study that the numbers are of, moved inputs included. */
  document: StudyDocument;
  /** What amounts are shown in. */
  currency: Currency;
  children: ReactNode;
}

/** Gives every number below it the panel that explains it: on hover, kept by a click. */
export function ExplainProvider({ studyId, document, currency, children }: ExplainProviderProps) {
  const [open, setOpen] = useState<Open | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const later = useCallback((wait: number, then: () => void) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(then, wait);
  }, []);
  const close = useCallback(() => {
    clearTimeout(timer.current);
    setOpen(null);
  }, []);
  const leave = useCallback(() => {
    later(LINGER_MS, () => setOpen((now) => (now?.pinned ? now : null)));
  }, [later]);
  const explainer = useMemo<Explainer>(
    () => ({
      leave,
      hover: (anchor, of) =>
        later(APPEAR_MS, () =>
          setOpen((now) => (now?.pinned ? now : { anchor, of, pinned: false })),
        ),
      pin: (anchor, of) => {
        clearTimeout(timer.current);
        setOpen({ anchor, of, pinned: true });
      },
    }),
    [later, leave],
  );
  const explanation = open?.of();
  return (
    <Context value={explainer}>
      {children}
      {open && explanation && (
        <PopoverRoot key={String(open.pinned)} open onOpenChange={close}>
          <PopoverAnchor virtualRef={{ current: open.anchor }} />
          <PopoverPanel
            label={`How ${explanation.title} comes about`}
            className={styles.panel}
            onPointerEnter={() => clearTimeout(timer.current)}
            onPointerLeave={leave}
            onOpenAutoFocus={open.pinned ? undefined : stay}
            onEscapeKeyDown={() => open.anchor.focus()}
            onInteractOutside={(event) => {
              if (open.anchor.contains(event.target as Node)) event.preventDefault();
            }}
          >
            <ExplainBody
              studyId={studyId}
              document={document}
              currency={currency}
              explanation={explanation}
            />
          </PopoverPanel>
        </PopoverRoot>
      )}
    </Context>
  );
}

interface ExplainedProps {
  of: () => Explanation;
  children: ReactNode;
  className?: string;
}

/** Why there is no number, for who hears the dash; who sees it opens it. */
export function Why({ reason }: { reason: string | undefined }) {
  return reason && <span className="visually-hidden">: {reason}</span>;
}

/** A number that can say where it comes from. */
export function Explained({ of, children, className }: ExplainedProps) {
  const explainer = use(Context);
  return (
    <button
      type="button"
      className={`${styles.number} ${className ?? ''}`}
      aria-haspopup="dialog"
      onClick={(event) => explainer?.pin(event.currentTarget, of)}
      onPointerEnter={(event) => {
        if (event.pointerType === 'mouse') explainer?.hover(event.currentTarget, of);
      }}
      onPointerLeave={explainer?.leave}
    >
      {children}
    </button>
  );
}
