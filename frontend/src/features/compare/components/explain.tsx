import { createContext, use, useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import { Popover } from '../../../components/popover';
import type { Currency } from '../../../lib/format';
import type { StudyDocument } from '../../../lib/types';
import type { Explanation } from '../explanation';
import { ExplainBody } from './explain-body';
import styles from './explain.module.css';

interface Open {
  anchor: Element;
  of: () => Explanation;
  pinned: boolean;
}

interface Explainer {
  hover: (anchor: Element, of: () => Explanation) => void;
  leave: () => void;
  pin: (anchor: Element, of: () => Explanation) => void;
  openAt: Element | null;
}

const Context = createContext<Explainer | null>(null);
const APPEAR_MS = 350;
const LINGER_MS = 180;

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
  const openAt = open?.anchor ?? null;
  const explainer = useMemo<Explainer>(
    () => ({
      openAt,
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
    [openAt, later, leave],
  );
  const explanation = open?.of();
  return (
    <Context value={explainer}>
      {children}
      {open && explanation && (
        <Popover
          anchor={open.anchor}
          label={`How ${explanation.title} comes about`}
          onClose={close}
          takeFocus={open.pinned}
          placement="bottom"
          className={styles.panel}
          onPointerEnter={() => clearTimeout(timer.current)}
          onPointerLeave={leave}
        >
          <ExplainBody
            studyId={studyId}
            document={document}
            currency={currency}
            explanation={explanation}
          />
        </Popover>
      )}
    </Context>
  );
}

interface ExplainedProps {
  of: () => Explanation;
  children: ReactNode;
  className?: string;
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
