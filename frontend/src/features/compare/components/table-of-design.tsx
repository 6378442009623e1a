import type { ReactNode } from 'react';
import { IconButton } from '../../../components/button';
import { Segments } from '../../../components/control';
import type { Comparison } from '../../../lib/comparison';
import styles from './table-of-design.module.css';

interface TableOfDesignProps {
  /** What the table is, for who cannot see it. */
  name: string;
  note: string;
  title: string;
  designs: Comparison['designs'];
  letter: string;
  onLetter: (letter: string) => void;
  onSave: () => void;
  isWide?: boolean;
  children: ReactNode;
}

/** A table of one design at a time, with the choice of the design and a download. */
export function TableOfDesign({ name, note, title, isWide = false, ...rest }: TableOfDesignProps) {
  const { designs, letter, onLetter, onSave, children } = rest;
  return (
    <section className={`box shrink ${isWide ? 'whole' : ''}`} aria-label={title}>
      <header className={styles.head}>
        <div>
          <p className="muted small">{note}</p>
          <h2 className="title">{title}</h2>
        </div>
        <div className="row gap-6">
          <Segments
            label={`Design, ${name.toLowerCase()}`}
            value={letter}
            choices={designs.map((entry) => ({ value: entry.letter, label: entry.letter }))}
            onChange={onLetter}
          />
          <IconButton small icon="download" label={`${name}: download as CSV`} onClick={onSave} />
        </div>
      </header>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={name}>
        <table>{children}</table>
      </div>
    </section>
  );
}
