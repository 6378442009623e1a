import type { ButtonHTMLAttributes, Ref } from 'react';
import { Icon, type IconName } from './icon';
import styles from './button.module.css';

export type ButtonLook = 'plain' | 'primary' | 'quiet' | 'danger';

interface Look {
  look?: ButtonLook;
  small?: boolean;
}

export function buttonClass({ look = 'plain', small = false }: Look = {}, icon = false): string {
  const names = [styles.button, look !== 'plain' && styles[look], small && styles.small];
  return [...names, icon && styles.icon].filter(Boolean).join(' ');
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  icon?: IconName;
  /** What is asked before it does what cannot be undone. */
  ask?: string;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ look, small, icon, ask, onClick, children, ...rest }: ButtonProps) {
  const press: typeof onClick = (event) => {
    if (ask === undefined || confirm(ask)) onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ look, small })}
      onClick={onClick && press}
    >
      {icon && <Icon name={icon} size={small ? 14 : 16} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  icon: IconName;
  label: string;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with an icon only: its name is said to a screen reader and shown on hover. */
export function IconButton({ icon, label, look = 'quiet', small, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={buttonClass({ look, small }, true)}
    >
      <Icon name={icon} size={small ? 14 : 16} />
    </button>
  );
}
