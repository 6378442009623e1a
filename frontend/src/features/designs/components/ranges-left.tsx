import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../../../components/button';
import { entered, quantity, range } from '../../../lib/format';
import { labelOf, valueText } from '../../../lib/labels';
import type { Json } from '../../../lib/pointer';
import { schemaAt, type JsonSchema } from '../../../lib/schema';
import { useCurrency } from '../../../lib/studies';
import type { Study } from '../../../lib/types';
import { settleLeft, useRangesLeft, type RangeLeft } from '../ranges-left';
import { designSchema } from './labels';
import styles from './designs.module.css';

interface RangesLeftProps {
  study: Study;
  plan: JsonSchema;
  onRange: (pointer: string, range: { low: number; high: number } | null) => void;
}

/** What an input is called, with its unit; one of a design after the design's letter. */
function inputAt(study: Study, plan: JsonSchema, pointer: string) {
  const [, letter = '', place = ''] = /^\/designs\/([^/]+)(\/.+)/.exec(pointer) ?? [];
  const design = study.designs.find((one) => one.letter === letter);
  const start = design ? (designSchema(plan, design.kind) ?? plan) : plan;
  const document = design ? design.spec : (study as unknown as Json);
  const at = design ? place : pointer;
  const label = labelOf(start, plan, document, at);
  return {
    label: design ? `${letter} · ${label}` : label,
    unit: schemaAt(start, plan, document, at)?.unit ?? '',
  };
}

/** Ranges that stayed while their values changed and no longer fit them, each to be settled. */
export function RangesLeft({ study, plan, onRange }: RangesLeftProps) {
  const client = useQueryClient();
  const currency = useCurrency(study.id);
  const left = useRangesLeft(study.id, study.ranges);
  if (left.length === 0) return null;
  const line = ({ pointer, before, after, low, high, mean, moved_low, moved_high }: RangeLeft) => {
    const { label, unit } = inputAt(study, plan, pointer);
    const text = (value: number) => valueText(value, unit, currency);
    const settle = (change?: { low: number; high: number } | null) => {
      settleLeft(client, study.id, pointer);
      if (change !== undefined) onRange(pointer, change);
    };
    const moved = { low: moved_low, high: moved_high };
    const facts: [string, string][] = [
      ['Before', text(before)],
      ['Now', text(after)],
      ['Range, as before', range(low, high, unit, currency, entered)],
      ['Counts on average', quantity(mean, unit, currency)],
    ];
    return (
      <li key={pointer} className={`${styles.leftLine} line gap-8`}>
        <strong>{label}</strong>
        {facts.map(([name, value]) => (
          <span key={name}>
            <span className="muted small">{name}</span> {value}
          </span>
        ))}
        <span className="line gap-8">
          <Button small aria-label={`Drop the range of ${label}`} onClick={() => settle(null)}>
            Drop range
          </Button>
          <Button small aria-label={`Move the range of ${label}`} onClick={() => settle(moved)}>
            Move to {range(moved.low, moved.high, unit, currency, entered)}
          </Button>
          <Button small aria-label={`Keep the range of ${label}`} onClick={() => settle()}>
            Keep
          </Button>
        </span>
      </li>
    );
  };
  return (
    <section className={`${styles.left} box padded surface`} aria-label="Ranges that no longer fit">
      <h2>Ranges that no longer fit their values</h2>
      <ul className={`${styles.leftList} lined`}>{left.map(line)}</ul>
    </section>
  );
}
