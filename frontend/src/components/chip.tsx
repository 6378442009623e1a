import type { ReactNode } from 'react';
import styles from './chip.module.css';

export type Tone = 'neutral' | 'good' | 'warning' | 'bad' | 'action';

export function Chip({
  tone = 'neutral',
  children,
  title,
}: {
  tone?: Tone;
  children: ReactNode;
  title?: string;
}) {
  return (
    <span className={`${styles.chip} ${tone === 'neutral' ? '' : styles[tone]}`} title={title}>
      {children}
    </span>
  );
}

const QUALITY: Record<string, { tone: Tone; letter?: string; label?: string; meaning: string }> = {
  measured: { tone: 'good', letter: 'M', meaning: 'Measured' },
  published: { tone: 'good', letter: 'P', meaning: 'Published, with a source' },
  derived: { tone: 'neutral', letter: 'D', meaning: 'Derived from other values' },
  recalled: {
    tone: 'warning',
    letter: 'R',
    label: 'estimated from memory',
    meaning: 'From general knowledge, with a range',
  },
  assumed: { tone: 'warning', letter: 'A', meaning: 'Our assumption, with a range' },
  typed: { tone: 'action', letter: 'T', meaning: 'Typed in' },
  unknown: { tone: 'bad', meaning: 'Not known' },
};

const qualityOf = (quality: string) =>
  QUALITY[quality] ?? {
    tone: 'neutral' as const,
    letter: undefined,
    label: undefined,
    meaning: quality,
  };

/** The sign beside a field whose value is known so well. */
export const qualityLetter = (quality: string): string | undefined => qualityOf(quality).letter;

/** How well a value is known, as a word; in a legend with the letter that stands for it. */
export function QualityChip({ quality, withLetter }: { quality: string; withLetter?: boolean }) {
  const entry = qualityOf(quality);
  return (
    <Chip tone={entry.tone} title={entry.meaning}>
      {withLetter && entry.letter && <strong>{entry.letter}</strong>} {entry.label ?? quality}
    </Chip>
  );
}

export function qualityTone(quality: string): Tone {
  return qualityOf(quality).tone;
}
