import {
  autoUpdate,
  flip,
  offset,
  shift,
  size,
  useFloating,
  type Placement,
} from '@floating-ui/react-dom';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Button, IconButton, type ButtonLook } from './button';
import type { IconName } from './icon';
import styles from './popover.module.css';

interface PopoverProps {
  anchor: Element | null;
  onClose: () => void;
  label: string;
  children: ReactNode;
  placement?: Placement;
  className?: string;
  /** Whether focus moves in on opening; not for what merely appears on hover. */
  takeFocus?: boolean;
  onPointerEnter?: () => void;
  onPointerLeave?: () => void;
}

function useDismiss(anchor: Element | null, panel: HTMLElement | null, onClose: () => void) {
  useEffect(() => {
    const onPointer = (event: PointerEvent) => {
      const target = event.target as Node;
      if (!panel?.contains(target) && !anchor?.contains(target)) onClose();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      onClose();
      if (anchor instanceof HTMLElement) anchor.focus();
    };
    document.addEventListener('pointerdown', onPointer);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', onPointer);
      document.removeEventListener('keydown', onKey);
    };
  }, [anchor, panel, onClose]);
}

const TALLEST = 560;
const LEAST = 180;

/** As tall as there is room beside the element; the rest scrolls. */
const WITHIN = size({
  padding: 8,
  apply: ({ availableHeight, elements }) => {
    const height = Math.max(LEAST, Math.min(TALLEST, availableHeight));
    elements.floating.style.maxHeight = `${height}px`;
  },
});

/** A panel beside an element; closes on Escape and on a press elsewhere. */
export function Popover(props: PopoverProps) {
  const { anchor, onClose, label, children, placement = 'bottom-start', takeFocus = true } = props;
  const [panel, setPanel] = useState<HTMLDivElement | null>(null);
  const { floatingStyles } = useFloating({
    placement,
    elements: { reference: anchor, floating: panel },
    middleware: [offset(6), flip({ padding: 8 }), shift({ padding: 8 }), WITHIN],
    whileElementsMounted: autoUpdate,
  });
  useDismiss(anchor, panel, onClose);
  useEffect(() => {
    if (takeFocus) panel?.focus({ preventScroll: true });
  }, [panel, takeFocus]);
  return createPortal(
    <div
      ref={setPanel}
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      className={`${styles.popover} ${props.className ?? ''}`}
      style={floatingStyles}
      onPointerEnter={props.onPointerEnter}
      onPointerLeave={props.onPointerLeave}
    >
      {children}
    </div>,
    anchor?.closest('dialog') ?? document.body,
  );
}

interface MenuButtonProps {
  label: string;
  icon: IconName;
  children: ReactNode;
  text?: string;
  look?: ButtonLook;
  small?: boolean;
  placement?: Placement;
}

/** A button that opens a short list of actions. */
export function MenuButton({
  label,
  icon,
  children,
  text,
  look,
  small,
  placement,
}: MenuButtonProps) {
  const [open, setOpen] = useState(false);
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  const id = useId();
  const shared = {
    ref: setAnchor,
    small,
    'aria-expanded': open,
    'aria-controls': open ? id : undefined,
    onClick: () => setOpen((was) => !was),
  };
  return (
    <>
      {text ? (
        <Button {...shared} icon={icon} look={look}>
          {text}
        </Button>
      ) : (
        <IconButton {...shared} icon={icon} look={look} label={label} />
      )}
      {open && (
        <Popover
          anchor={anchor}
          label={label}
          placement={placement ?? 'bottom-end'}
          onClose={() => setOpen(false)}
        >
          <div id={id} className={styles.menu} role="presentation" onClick={() => setOpen(false)}>
            {children}
          </div>
        </Popover>
      )}
    </>
  );
}
