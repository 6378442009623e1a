import { useQuery } from '@tanstack/react-query';
import { Chip } from '../../../components/chip';
import { DesignBadge } from '../../../components/design-badge';
import { MenuButton } from '../../../components/popover';
import { percent, quantity } from '../../../lib/format';
import { messageOf } from '../../../lib/problem';
import { instantQueryOptions, noClosedForm } from '../api/instant';
import { ArrayDrawing } from '../drawing/array-drawing';
import { milliseconds } from '../figures/options';
import type { ArrayResult, InstantResult } from '../result';
import type { Entry, Workload } from '../types';
import { LAYOUTS } from '../words';
import styles from './arrays.module.css';

interface ArrayCardProps {
  entry: Entry;
  workload: Workload;
  chosen: boolean;
  full: boolean;
  alone: boolean;
  result: ArrayResult | undefined;
  onChoose: () => void;
  onCopy: () => void;
  onRemove: () => void;
}

function useInstant({ array }: Entry, workload: Workload) {
  const reason = noClosedForm(array, workload);
  const query = useQuery(instantQueryOptions(array, workload));
  const answer = reason === null ? query.data : undefined;
  const failed = reason === null && query.isError ? messageOf(query.error) : null;
  return { answer, reason: reason ?? failed };
}

function Figure({
  label,
  value,
  reason,
}: {
  label: string;
  value: string | null;
  reason: string | null;
}) {
  return (
    <div>
      <dt>{label}</dt>
      <dd title={value === null ? (reason ?? undefined) : undefined}>{value ?? '—'}</dd>
    </div>
  );
}

function powerText(answer: InstantResult, sleeps: boolean): string {
  const one = sleeps ? answer.one_awake_w : null;
  return quantity(one ?? answer.always_on_w, 'W');
}

function Instant({
  answer,
  reason,
  sleeps,
}: {
  answer: InstantResult | undefined;
  reason: string | null;
  sleeps: boolean;
}) {
  const load = answer ? percent(answer.utilization_ratio) : null;
  const noResponse = answer?.carries_load
    ? 'The closed form answers for reads only: simulate.'
    : 'The array cannot keep up.';
  return (
    <dl className={styles.instant}>
      <Figure label="Load" value={load} reason={reason} />
      <Figure
        label="At most"
        value={answer ? `${quantity(answer.max_rate_per_s, '1/s')}` : null}
        reason={reason}
      />
      <Figure
        label="Mean response"
        value={answer?.response_mean_ms != null ? milliseconds(answer.response_mean_ms) : null}
        reason={answer ? noResponse : reason}
      />
      <Figure
        label={sleeps && answer?.one_awake_w != null ? 'Power, one awake' : 'Power'}
        value={answer ? powerText(answer, sleeps) : null}
        reason={reason}
      />
    </dl>
  );
}

/** One array: its drawing, and what can be said of it at once. Pressing it edits it. */
export function ArrayCard(props: ArrayCardProps) {
  const { entry, workload, chosen, full, alone, result, onChoose, onCopy, onRemove } = props;
  const { array, letter, title } = entry;
  const { answer, reason } = useInstant(entry, workload);
  const sleeps = array.timeouts !== null;
  const awake = sleeps ? (answer?.awake_count ?? 1) : null;
  const overloaded = answer !== undefined && !answer.carries_load;
  return (
    <section
      className={`${styles.card} ${chosen ? styles.chosen : ''}`}
      aria-label={`Array ${letter}, ${title}`}
    >
      <header className={styles.cardHead}>
        <button type="button" className={styles.choose} aria-pressed={chosen} onClick={onChoose}>
          <DesignBadge letter={letter} />
          <span className={styles.cardTitle}>{title}</span>
        </button>
        {overloaded && <Chip tone="bad">overloaded</Chip>}
        <MenuButton small icon="more" label={`Array ${letter}: more`} look="quiet">
          <button type="button" disabled={full} onClick={onCopy}>
            Copy this array
          </button>
          <button type="button" disabled={alone} onClick={onRemove}>
            Remove it
          </button>
        </MenuButton>
      </header>
      <p className={`muted small ${styles.cardLine}`}>
        {array.layout.disks_count > 1 ? `${array.layout.disks_count} × ` : ''}
        {array.drive.name} · {LAYOUTS[array.layout.kind]}
      </p>
      <ArrayDrawing array={array} letter={letter} awake={awake} devices={result?.devices} />
      <Instant answer={answer} reason={reason} sleeps={sleeps} />
    </section>
  );
}
