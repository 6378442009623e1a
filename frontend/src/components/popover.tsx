import * as Radix from '@radix-ui/react-popover';
import { use, type ReactElement, type ReactNode } from 'react';
import { Within } from './within';
import styles from './popover.module.css';

/** For a panel that something else than a button of its own opens. */
export const PopoverRoot = Radix.Root;
export const PopoverAnchor = Radix.Anchor;

interface PanelProps extends Radix.PopoverContentProps {
  label: string;
}

/** The panel itself. */
export function PopoverPanel({ label, className, ...rest }: PanelProps) {
  return (
    <Radix.Portal container={use(Within)}>
      <Radix.Content
        aria-label={label}
        sideOffset={6}
        collisionPadding={8}
        {...rest}
        className={`${styles.popover} ${className ?? ''}`}
      />
    </Radix.Portal>
  );
}

interface PopoverProps {
  /** The button that opens it. */
  trigger: ReactElement;
  label: string;
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  className?: string;
}

/** A panel beside its button; closes on Escape and on a press elsewhere. */
export function Popover({ trigger, align = 'start', ...rest }: PopoverProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <PopoverPanel align={align} {...rest} />
    </Radix.Root>
  );
}
