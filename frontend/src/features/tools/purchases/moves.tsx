import { useState } from 'react';
import { Button } from '../../../components/button';
import { RangeTrack } from '../../../components/range-track';
import { entered, statedCurrency } from '../../../lib/format';
import { read, write, type JsonObject } from '../../../lib/pointer';
import type { Scaled } from '../../../lib/slider-scale';
import type { Told } from '../../../components/told/told';
import type { Answered } from '../frame/model-tool';
import styles from './moves.module.css';

interface Moved extends Scaled {
  pointer: string;
  label: string;
}

/** What a plan says of the inputs that move it. */
export interface Moving extends Told {
  moving?: Moved[];
}

/** Where the number of an input stands, and what a question with it at a value is. */
function at(params: JsonObject, { pointer }: Moved, value: number): JsonObject {
  if (pointer === '/demand/level/growth') {
    // Moved, it is known.
    return write(params, pointer, { kind: 'fixed', value_fraction_per_year: value }) as JsonObject;
  }
  const known = pointer === '/demand/level/now_count';
  const settled = known ? write(params, '/demand/level/now_spread', null) : params;
  return write(settled, pointer, value) as JsonObject;
}

/** The inputs that move the plan most, as sliders: released, the plan is to be made again. */
export function Moves({ params, result, onParams }: Answered<Moving>) {
  const [moves, setMoves] = useState<Record<string, number>>({});
  const moving = (result.moving ?? []).filter(({ pointer }) => read(params, pointer) !== undefined);
  const currency = statedCurrency(params.currency);
  if (moving.length === 0) return null;
  const asked = (next: Record<string, number>) => {
    setMoves(next);
    onParams(
      moving.reduce((whole, one) => {
        const value = next[one.pointer];
        return value === undefined ? whole : at(whole, one, value);
      }, params),
    );
  };
  const count = Object.keys(moves).length;
  return (
    <section className="box surface" aria-label="Inputs that move the plan most">
      <header className={styles.head}>
        <p className="muted small">
          {count === 0
            ? 'The inputs that move the plan most, ranked. Move one, and plan again.'
            : `${count === 1 ? 'One input is' : `${count} inputs are`} moved, taken as known. Plan again for it.`}
        </p>
        {count > 0 && (
          <Button small look="quiet" icon="reset" onClick={() => asked({})}>
            Reset
          </Button>
        )}
      </header>
      <div className={styles.row}>
        {moving.map((input) => {
          const value = moves[input.pointer] ?? input.value;
          const text = entered(value, input.unit, currency);
          return (
            <div key={input.pointer} className={styles.slider}>
              <span className="small">{input.label}</span>
              <span className="num">{text}</span>
              <RangeTrack
                input={input}
                value={value}
                text={text}
                currency={currency}
                onMove={(next) => setMoves({ ...moves, [input.pointer]: next })}
                onRelease={(next) => asked({ ...moves, [input.pointer]: next })}
              />
            </div>
          );
        })}
      </div>
    </section>
  );
}
