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

const QUALITY: Record<string, { tone: Tone; label?: string; meaning: string }> = {
  measured: { tone: 'good', meaning: 'Measured' },
  published: { tone: 'good', meaning: 'Published, with a source' },
  derived: { tone: 'neutral', meaning: 'Derived from other values' },
  recalled: {
    tone: 'warning',
    label: 'estimated from memory',
    meaning: 'From general knowledge, with a range',
  },
  assumed: { tone: 'warning', meaning: 'Our assumption, with a range' },
  typed: { tone: 'action', meaning: 'Typed in' },
  unknown: { tone: 'bad', meaning: 'Not known' },
};

const qualityOf = (quality: string) =>
  QUALITY[quality] ?? { tone: 'neutral' as const, label: undefined, meaning: quality };

/** How well a value is known, in a word or three. */
export const qualityWord = (quality: string) => qualityOf(quality).label ?? quality;

/** How well a value is known, as a chip. */
export function QualityChip({ quality }: { quality: string }) {
  const { tone, meaning } = qualityOf(quality);
  return (
    <Chip tone={tone} title={meaning}>
      {qualityWord(quality)}
    </Chip>
  );
}

export function qualityTone(quality: string): Tone {
  return qualityOf(quality).tone;
}
