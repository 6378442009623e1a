import type { CSSProperties } from 'react';
import { inkOn } from '../lib/color';
import { useTheme } from '../lib/theme';
import { designLook } from '../lib/tokens';
import styles from './design-badge.module.css';

/** The letter of a design on its colour: the same sign on every screen. */
export function DesignBadge({ letter, large = false }: { letter: string; large?: boolean }) {
  const { color } = designLook(letter, useTheme());
  const names = [styles.badge, inkOn(color) === 'dark' && styles.dark, large && styles.large];
  return (
    <span
      className={names.filter(Boolean).join(' ')}
      style={{ '--c': color } as CSSProperties}
      aria-label={`Design ${letter}`}
      role="img"
    >
      {letter}
    </span>
  );
}
