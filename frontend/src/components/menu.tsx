import * as Radix from '@radix-ui/react-dropdown-menu';
import { use, type ReactNode } from 'react';
import { Button, IconButton, type ButtonLook } from './button';
import type { IconName } from './icon';
import popover from './popover.module.css';
import { Within } from './within';
import styles from './menu.module.css';

interface MenuButtonProps {
  label: string;
  icon: IconName;
  /** Its items, by `MenuItem`. */
  children: ReactNode;
  text?: string;
  look?: ButtonLook;
  small?: boolean;
  align?: 'start' | 'end';
}

/** A button that opens a short list of actions. */
export function MenuButton({ label, text, align = 'end', children, ...look }: MenuButtonProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>
        {text ? <Button {...look}>{text}</Button> : <IconButton {...look} label={label} />}
      </Radix.Trigger>
      <Radix.Portal container={use(Within)}>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={`${popover.popover} ${styles.menu}`}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** One action; a link, with `asChild`. */
export function MenuItem(props: Radix.DropdownMenuItemProps) {
  return <Radix.Item {...props} className={styles.item} />;
}

export const MenuGroup = Radix.Group;

/** Says what a group of items is. */
export function MenuHeading({ children }: { children: ReactNode }) {
  return <Radix.Label className={styles.heading}>{children}</Radix.Label>;
}
