import { useState, type ReactNode } from 'react';
import { TextInput } from '../../../components/control';
import { Dialog } from '../../../components/dialog';
import { Empty } from '../../../components/query-state';
import type { SliderInput } from './slider';
import styles from './sliders.module.css';

const AT_MOST = 60;

interface AllInputsProps {
  ranked: readonly SliderInput[];
  extra: readonly SliderInput[];
  slider: (input: SliderInput) => ReactNode;
  onClose: () => void;
}

/** Every number of the study as a slider: those with a range first, ranked; the rest by search. */
export function AllInputs({ ranked, extra, slider, onClose }: AllInputsProps) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const fits = (input: SliderInput) => input.label.toLowerCase().includes(wanted);
  const known = new Set(ranked.map((input) => input.pointer));
  const rest = wanted ? extra.filter((input) => !known.has(input.pointer) && fits(input)) : [];
  const found = [...ranked.filter(fits), ...rest].slice(0, AT_MOST);
  return (
    <Dialog drawer width={400} title="All inputs" onClose={onClose}>
      <div className="stack gap-16">
        <label className={styles.add}>
          <TextInput
            type="search"
            placeholder={`Search ${extra.length} inputs`}
            aria-label="Search inputs"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <span className="muted small">
            Inputs with a range come first, ranked by how far they move the answer.
          </span>
        </label>
        {found.length === 0 && (
          <Empty>
            {wanted ? 'No input is called that.' : 'No input has a range. Search for one.'}
          </Empty>
        )}
        {found.map(slider)}
      </div>
    </Dialog>
  );
}
