import { useRef } from 'react';
import { rangeEnd, type Currency } from '../lib/format';
import { settled, share, sliderScale, type Scaled } from '../lib/slider-scale';
import styles from './range-track.module.css';

interface RangeTrackProps {
  input: Scaled & { label: string };
  value: number;
  /** The value as it is read out. */
  text: string;
  currency: Currency;
  /** A place on it that means something, in words, such as where another design is the cheapest. */
  mark?: { value: number; words: string };
  onMove: (value: number) => void;
  onRelease: (value: number) => void;
}

/** A number on its range: the tint is low to high, the tick is the value that is entered. */
export function RangeTrack(props: RangeTrackProps) {
  const { input, value, text, currency, mark, onMove, onRelease } = props;
  const scale = sliderScale(input, currency);
  const held = useRef(false);
  const at = (number: number) => `${share(number, scale) * 100}%`;
  const release = (target: HTMLInputElement) => {
    if (!held.current) return;
    held.current = false;
    onRelease(settled(target.valueAsNumber, input.value, scale));
  };
  return (
    <>
      <div className={styles.track}>
        <span
          className={styles.span}
          style={{
            left: at(input.low),
            width: `${(share(input.high, scale) - share(input.low, scale)) * 100}%`,
          }}
        />
        <span className={styles.saved} style={{ left: at(input.value) }} />
        {mark && <span className={styles.mark} style={{ left: at(mark.value) }} />}
        <input
          type="range"
          aria-label={input.label}
          aria-valuetext={text}
          min={scale.min}
          max={scale.max}
          step={scale.step}
          value={value}
          onChange={(event) => {
            held.current = true;
            onMove(settled(event.target.valueAsNumber, input.value, scale));
          }}
          onPointerUp={(event) => release(event.currentTarget)}
          onKeyUp={(event) => release(event.currentTarget)}
          onBlur={(event) => release(event.currentTarget)}
        />
      </div>
      <div className="apart gap-8 muted num flex small">
        <span>{rangeEnd(scale.low, input.unit, currency)}</span>
        {mark && <span className={styles.words}>{mark.words}</span>}
        <span>{rangeEnd(scale.high, input.unit, currency)}</span>
      </div>
    </>
  );
}
