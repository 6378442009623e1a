import { Problem } from '../lib/problem';
import type { NumberFormat } from '../lib/typed-number';
import { Button } from './button';

const CHOICES = [
  { value: 'point', label: 'A point stands before decimals: 1,234.5' },
  { value: 'comma', label: 'A comma stands before decimals: 1.234,5' },
] as const;

/** Whether a table was refused as its numbers could be read in two ways. */
const asksNumbers = (error: unknown): boolean =>
  error instanceof Problem && error.faults.some(({ pointer }) => pointer === '/numbers');

/** How the numbers of a table that was taken were read, where they could be read otherwise. */
export function NumbersRead({ notes }: { notes: readonly string[] | undefined }) {
  if (!notes?.length) return null;
  return (
    <ul className="muted small" role="status" aria-label="How numbers were read">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

interface NumbersChoiceProps {
  error: unknown;
  onChoose: (numbers: NumberFormat) => void;
}

/** Asks how a table writes its numbers, where no cell of it says so, before it is taken. */
export function NumbersChoice({ error, onChoose }: NumbersChoiceProps) {
  if (!asksNumbers(error)) return null;
  return (
    <div className="line gap-8" role="group" aria-label="How the table writes numbers">
      {CHOICES.map(({ value, label }) => (
        <Button key={value} small onClick={() => onChoose(value)}>
          {label}
        </Button>
      ))}
    </div>
  );
}
