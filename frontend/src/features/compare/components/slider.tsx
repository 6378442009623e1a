import { useRef } from 'react';
import type { TornadoBar } from '../../../lib/comparison';
import { entered, exact, type Currency } from '../../../lib/format';
import { settled, share, sliderScale, type Scaled } from '../slider-scale';
import { Explained } from './explain';
import styles from './sliders.module.css';

export type SliderInput = Scaled & Pick<TornadoBar, 'pointer' | 'label'>;

interface SliderProps {
  input: SliderInput;
  value: number;
  currency: Currency;
  onMove: (value: number) => void;
  onRelease: (value: number) => void;
}

/** One input on its range: the tint is low to high, the tick is the saved value. */
export function Slider({ input, value, currency, onMove, onRelease }: SliderProps) {
  const scale = sliderScale(input, currency);
  const held = useRef(false);
  const isMoved = value !== input.value;
  const at = (number: number) => `${share(number, scale) * 100}%`;
  const text = entered(value, input.unit, currency);
  const release = (target: HTMLInputElement) => {
    if (!held.current) return;
    held.current = false;
    onRelease(settled(target.valueAsNumber, input.value, scale));
  };
  return (
    <div className={styles.slider}>
      <div className={styles.label}>
        <span className={styles.name} title={input.label}>
          {input.label}
        </span>
        <Explained
          className={`nowrap strong num ${isMoved ? styles.moved : ''}`}
          of={() => ({
            title: input.label,
            value: text,
            exact: exact(value, input.unit, currency),
            terms: [
              { name: 'Saved value', value: input.value, unit: input.unit, pointer: input.pointer },
            ],
          })}
        >
          {text}
        </Explained>
      </div>
      <div className={styles.track}>
        <span
          className={styles.span}
          style={{
            left: at(input.low),
            width: `${(share(input.high, scale) - share(input.low, scale)) * 100}%`,
          }}
        />
        <span className={styles.saved} style={{ left: at(input.value) }} />
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
        <span>{entered(scale.min, input.unit, currency)}</span>
        <span>{entered(scale.max, input.unit, currency)}</span>
      </div>
    </div>
  );
}
