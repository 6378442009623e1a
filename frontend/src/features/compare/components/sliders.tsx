import { useMemo, useState } from 'react';
import { Button } from '../../../components/button';
import { Select } from '../../../components/control';
import { figureOf, type Comparison, type TornadoBar } from '../../../lib/comparison';
import { useMayEdit } from '../../../lib/session';
import type { Ranges } from '../api/evaluate';
import type { Moves } from '../search';
import { AllInputs } from './all-inputs';
import { Slider, type SliderInput } from './slider';
import styles from './sliders.module.css';

const SHOWN = 3;
const RANGES: { value: Ranges; label: string }[] = [
  { value: 'move', label: 'Move ranges along' },
  { value: 'keep', label: 'Keep ranges' },
  { value: 'drop', label: 'Drop ranges' },
];

interface SlidersProps {
  /** The saved study: its tornado ranks the sliders, so that they stay in place. */
  saved: Comparison;
  /** Where an input alone makes another design the cheapest. */
  flips: Comparison['flips'];
  /** Behind a button, where something else is looked at. */
  isFolded?: boolean;
  moves: Moves;
  extra: readonly SliderInput[];
  saving: boolean;
  onMove: (moves: Moves) => void;
  onRelease: (moves: Moves) => void;
  onSave: (ranges: Ranges) => void;
}

function Changed({ count, before }: { count: number; before: Comparison }) {
  if (count === 0) {
    const isRanked = before.tornado.length === 0 || figureOf(before, 'What moves the answer');
    return (
      <p className="muted small">
        <span className={styles.hint}>
          {isRanked
            ? 'What moves the answer most. '
            : 'No input alone moves the difference between the cheapest designs by an amount that is shown. '}
        </span>
        Nothing is moved.
      </p>
    );
  }
  const { kind, letters } = before.verdict;
  const isWon = before.winner && kind !== 'open';
  const first = letters.length > 0 ? letters : [before.winner ?? ''];
  const was = isWon
    ? `; as saved, ${first.join(' and ')} ${first.length === 1 ? 'is' : 'are'} cheapest`
    : '; as saved, it is too close to call';
  return (
    <p className="small">
      <strong>{count === 1 ? 'One input is moved' : `${count} inputs are moved`}</strong>
      <span className="muted">{`, taken as known while moved${was}`}</span>
    </p>
  );
}

/** The ranked inputs, each with what the plan allows for it. */
function bounded(ranked: readonly TornadoBar[], all: readonly SliderInput[]): SliderInput[] {
  const limits = new Map(
    all.map(({ pointer, least, most, schema }) => [pointer, { least, most, schema }]),
  );
  return ranked.map((bar) => ({ ...bar, ...limits.get(bar.pointer) }));
}

/** The inputs that move the answer most, as sliders. */
export function Sliders(props: SlidersProps) {
  const { saved, flips, moves, extra, onMove, onRelease } = props;
  const mayEdit = useMayEdit();
  const [opened, setOpened] = useState(false);
  const { isFolded = false } = props;
  const shut = isFolded ? styles.shut : styles.folded;
  const [all, setAll] = useState(false);
  const [ranges, setRanges] = useState<Ranges>('move');
  const ranked = useMemo(() => bounded(saved.tornado, extra), [saved, extra]);
  const top = ranked.slice(0, SHOWN);
  const isTop = (pointer: string) => top.some((bar) => bar.pointer === pointer);
  const known = [...ranked, ...extra];
  const others = Object.keys(moves).flatMap((pointer) => {
    const found = known.find((input) => input.pointer === pointer);
    return found && !isTop(pointer) ? [found] : [];
  });
  const count = Object.keys(moves).length;
  // What moves with a ranked input has no slider of its own.
  const alone = useMemo(() => {
    const joined = new Set(
      saved.quantities.flatMap(({ members }) => members.map(({ pointer }) => pointer)),
    );
    return extra.filter(({ pointer }) => !joined.has(pointer));
  }, [saved, extra]);
  const withMove = (input: SliderInput, value: number): Moves => {
    const { [input.pointer]: _was, ...rest } = moves;
    return value === input.value ? rest : { ...rest, [input.pointer]: value };
  };
  const slider = (input: SliderInput) => (
    <Slider
      key={input.pointer}
      input={input}
      value={moves[input.pointer] ?? input.value}
      currency={saved.currency}
      flip={flips.find(({ pointer }) => pointer === input.pointer)}
      onMove={(value) => onMove(withMove(input, value))}
      onRelease={(value) => onRelease(withMove(input, value))}
    />
  );
  return (
    <section
      className={`${styles.strip} box surface ${isFolded ? '' : styles.list} ${opened ? '' : shut}`}
      data-still
      aria-label="Inputs that move the answer most"
    >
      <header className={styles.head}>
        <Changed count={count} before={saved} />
        {count > 0 && (
          <>
            <Button small look="quiet" icon="reset" onClick={() => onRelease({})}>
              Reset
            </Button>
            {mayEdit && (
              <>
                <Select
                  aria-label="Ranges of what is moved"
                  value={ranges}
                  choices={RANGES}
                  onChange={(event) => setRanges(event.target.value as Ranges)}
                />
                <Button small disabled={props.saving} onClick={() => props.onSave(ranges)}>
                  {props.saving ? 'Saving …' : 'Save to the study'}
                </Button>
              </>
            )}
          </>
        )}
        <Button small look="quiet" icon="sliders" onClick={() => setAll(true)}>
          All inputs
        </Button>
        <span className={`${styles.toggle} ${isFolded ? styles.always : ''}`}>
          <Button small aria-expanded={opened} onClick={() => setOpened(!opened)}>
            {opened ? 'Hide sliders' : 'Show sliders'}
          </Button>
        </span>
      </header>
      <div className={styles.row}>{[...top, ...others].map(slider)}</div>
      {all && (
        <AllInputs ranked={ranked} extra={alone} slider={slider} onClose={() => setAll(false)} />
      )}
    </section>
  );
}
