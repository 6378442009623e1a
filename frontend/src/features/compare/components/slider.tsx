import { useRef } from 'react';
import { AmountInput } from '../../../components/amount-field';
import type { Comparison, TornadoBar } from '../../../lib/comparison';
import { entered, exact, rangeEnd, type Currency } from '../../../lib/format';
import type { JsonSchema } from '../../../lib/schema';
import { numberFault } from '../../../lib/schema-faults';
import { typedUnit } from '../../../lib/units';
import { settled, share, sliderScale, type Scaled } from '../../../lib/slider-scale';
import { Explained } from './explain';
import styles from './sliders.module.css';

export interface SliderInput extends Scaled, Pick<TornadoBar, 'pointer' | 'label'> {
  /** What the plan takes for it. */
  schema?: JsonSchema;
}

interface SliderProps {
  input: SliderInput;
  value: number;
  currency: Currency;
  /** Where it makes another design the cheapest, if it does. */
  flip?: Comparison['flips'][number];
  onMove: (value: number) => void;
  onRelease: (value: number) => void;
}

/** One input on its range: the tint is low to high, the tick is the saved value. */
export function Slider({ input, value, currency, flip, onMove, onRelease }: SliderProps) {
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
        <Explained
          className={styles.name}
          of={() => ({
            title: input.label,
            value: text,
            exact: exact(value, input.unit, currency),
            terms: [
              { name: 'Saved value', value: input.value, unit: input.unit, pointer: input.pointer },
            ],
          })}
        >
          {input.label}
        </Explained>
        <span className={styles.value}>
          <AmountInput
            aria-label={`Value of ${input.label}`}
            className={`num ${isMoved ? styles.moved : ''}`}
            value={value}
            unit={input.unit}
            currency={currency}
            context={{ name: input.label }}
            faultOf={(number) => numberFault(input.schema ?? {}, number, currency)}
            onAmount={(number) => number !== null && onRelease(number)}
            beside={<span className="muted">{typedUnit(input.unit, currency)}</span>}
            echoClass={styles.echo}
          />
        </span>
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
        {flip?.flips_at != null && (
          <span className={styles.flip} style={{ left: at(flip.flips_at) }} />
        )}
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
      <div className={`${styles.ends} apart gap-8 muted num flex small`}>
        <span className={styles.end}>{rangeEnd(scale.low, input.unit, currency)}</span>
        {flip?.flips_at != null && (
          <span className={styles.then}>
            {flip.then ?? flip.winner_after} {entered(flip.flips_at, input.unit, currency)}
          </span>
        )}
        <span className={styles.end}>{rangeEnd(scale.high, input.unit, currency)}</span>
      </div>
    </div>
  );
}
