import { useQuery } from '@tanstack/react-query';
import { Chip } from '../../../components/chip';
import { DesignBadge } from '../../../components/design-badge';
import { MenuButton } from '../../../components/popover';
import { quantity } from '../../../lib/format';
import { messageOf } from '../../../lib/problem';
import { instantQueryOptions } from '../api/instant';
import { noClosedForm, noResponse, takenOtherwise } from '../closed-form';
import { ArrayDrawing } from '../drawing/array-drawing';
import { loadText, milliseconds, rateText } from '../figures/options';
import { paybackText } from '../payback';
import type { ArrayResult, InstantResult } from '../result';
import type { ArrayDesign, ArraysState, Entry } from '../types';
import type { Planned } from '../use-beside';
import { wearOf } from '../wear';
import { LAYOUTS } from '../words';
import { maySleep } from '../drawing/power-states';
import styles from './arrays.module.css';

interface ArrayCardProps {
  entry: Entry;
  state: ArraysState;
  planned: Planned | undefined;
  chosen: boolean;
  full: boolean;
  alone: boolean;
  result: ArrayResult | undefined;
  onChoose: () => void;
  onCopy: () => void;
  onRemove: () => void;
}

interface InstantFigures {
  load: number | null;
  most: number | null;
  response: number | null;
  power: number | null;
  awake: number | null;
  /** Why a figure is missing. */
  reason: string | null;
  /** What was taken otherwise than it was entered. */
  note: string | null;
}

/** The closed form of the array; where there is none, what the plan knows of it. */
function useInstant(entry: Entry, state: ArraysState, planned: Planned | undefined) {
  const none = noClosedForm(entry.array, state);
  const query = useQuery(instantQueryOptions(entry, state));
  const answer = none === null ? query.data : undefined;
  const failed = none === null && query.isError ? messageOf(query.error) : null;
  return {
    figures: answer
      ? ofClosedForm(answer, entry.array, state, planned)
      : ofPlan(planned, failed ?? none),
    // A closed form that another one stands in for says nothing of the swap.
    payback: paybackText(entry, answer, state),
    flash: answer?.flash ?? null,
  };
}

function ofClosedForm(
  answer: InstantResult,
  array: ArrayDesign,
  state: ArraysState,
  planned: Planned | undefined,
): InstantFigures {
  const sleeps = maySleep(array);
  const withheld = noResponse(state);
  // The plan knows what writes wait, too.
  const response = answer.response_mean_ms ?? planned?.figures?.response_mean_ms ?? null;
  return {
    load: answer.utilization_ratio,
    most: answer.max_rate_per_s,
    response: withheld === null && answer.carries_load ? response : null,
    power: answer.one_awake_w ?? answer.always_on_w,
    awake: sleeps ? answer.awake_count : null,
    reason: answer.carries_load ? (withheld ?? reasonOf(planned)) : 'The array cannot keep up.',
    note: takenOtherwise(array, state),
  };
}

function reasonOf(planned: Planned | undefined): string | null {
  return planned?.figures?.reasons.response_mean_ms ?? planned?.reason ?? null;
}

function ofPlan(planned: Planned | undefined, none: string | null): InstantFigures {
  const figures = planned?.figures ?? null;
  return {
    note: null,
    load: figures ? figures.requests_per_s / figures.iops_ceiling_per_s : null,
    most: figures?.iops_ceiling_per_s ?? null,
    response: figures?.response_mean_ms ?? null,
    power: figures?.mean_w ?? null,
    awake: null,
    reason: reasonOf(planned) ?? none,
  };
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

function Instant({ figures }: { figures: InstantFigures }) {
  const { load, most, response, power, reason } = figures;
  const text = (value: number | null, unit: string) =>
    value === null ? null : quantity(value, unit);
  return (
    <dl className={styles.instant} aria-label="At once, in closed form">
      <Figure label="Load" value={load === null ? null : loadText(load)} reason={reason} />
      <Figure label="At most" value={most === null ? null : rateText(most)} reason={reason} />
      <Figure
        label="Mean response"
        value={response === null ? null : milliseconds(response)}
        reason={reason}
      />
      <Figure label="Power" value={text(power, 'W')} reason={reason} />
    </dl>
  );
}

/** One array: its drawing, and what can be said of it at once. Pressing it edits it. */
export function ArrayCard(props: ArrayCardProps) {
  const { entry, state, planned, chosen, full, alone, result, onChoose, onCopy, onRemove } = props;
  const { array, letter, title } = entry;
  // The plan knows neither lost disks nor copies: what it says at once is of another array.
  const known = array.layout.failed_disk_count > 0 || array.copies ? undefined : planned;
  const { figures, payback, flash } = useInstant(entry, state, known);
  const awake = maySleep(array) ? figures.awake : null;
  const overloaded = figures.load !== null && figures.load >= 1;
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
      <Instant figures={figures} />
      <p className={`muted small ${styles.wear}`}>
        {wearOf(array, result, known?.figures ?? null, flash)}
      </p>
      {figures.note && <p className={`muted small ${styles.wear}`}>{figures.note}</p>}
      {payback && <p className={`small ${styles.payback}`}>{payback}</p>}
    </section>
  );
}
