import { AmountInput } from '../../../components/amount-field';
import { RangeTrack } from '../../../components/range-track';
import type { Comparison, TornadoBar } from '../../../lib/comparison';
import { entered, rangeEnd, exact, type Currency } from '../../../lib/format';
import type { JsonSchema } from '../../../lib/schema';
import { numberFault } from '../../../lib/schema-faults';
import { typedUnit } from '../../../lib/units';
import type { Scaled } from '../../../lib/slider-scale';
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
  const isMoved = value !== input.value;
  const text = entered(value, input.unit, currency);
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
      <RangeTrack
        input={input}
        value={value}
        text={text}
        currency={currency}
        mark={
          flip?.flips_at == null
            ? undefined
            : {
                value: flip.flips_at,
                words: `${flip.then ?? flip.winner_after} ${rangeEnd(flip.flips_at, input.unit, currency)}`,
              }
        }
        onMove={onMove}
        onRelease={onRelease}
      />
    </div>
  );
}
