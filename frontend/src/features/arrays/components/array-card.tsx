import { Chip } from '../../../components/chip';
import { DesignBadge } from '../../../components/design-badge';
import { MenuButton, MenuItem } from '../../../components/menu';
import { quantity } from '../../../lib/format';
import { ArrayDrawing } from '../drawing/array-drawing';
import { maySleep } from '../drawing/power-states';
import type { ArrayResult, Outlook } from '../result';
import type { Entry } from '../types';
import type { Planned } from '../use-beside';
import type { Known } from '../use-outlooks';
import { LAYOUTS, loadText, milliseconds, rateText } from '../words';
import styles from './arrays.module.css';

interface ArrayCardProps {
  entry: Entry;
  known: Known;
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
}

/** The closed form of the array; where there is none, what the plan knows of it. */
function instantFigures({ outlook, error }: Known, planned: Planned | undefined): InstantFigures {
  const answer = outlook?.closed_form;
  if (!outlook || !answer) return ofPlan(planned, error ?? outlook?.no_closed_form ?? null);
  const { response_withheld: withheld } = outlook;
  // The plan knows what writes wait, too.
  const response = answer.response_mean_ms ?? ofPlan(planned, null).response;
  return {
    load: answer.utilization_ratio,
    most: answer.max_rate_per_s,
    response: withheld === null && answer.carries_load ? response : null,
    power: answer.one_awake_w ?? answer.always_on_w,
    awake: answer.awake_count,
    reason: answer.carries_load ? (withheld ?? reasonOf(planned)) : 'The array cannot keep up.',
  };
}

function reasonOf(planned: Planned | undefined): string | null {
  return planned?.figures?.reasons.response_mean_ms ?? planned?.reason ?? null;
}

function ofPlan(planned: Planned | undefined, none: string | null): InstantFigures {
  const figures = planned?.figures ?? null;
  return {
    load: figures ? figures.requests_per_s / figures.iops_ceiling_per_s : null,
    most: figures?.iops_ceiling_per_s ?? null,
    response: figures?.response_mean_ms ?? null,
    power: figures?.mean_w ?? null,
    awake: null,
    reason: reasonOf(planned) ?? none,
  };
}

/** What is known of an array's wear: by its run, else in closed form. */
function wearOf(result: ArrayResult | undefined, outlook: Outlook | null, planned?: Planned) {
  if (result) return result.wear;
  const years = planned?.figures?.wear_years ?? null;
  if (outlook?.wear) return outlook.wear;
  return years === null
    ? 'wear unknown until simulated'
    : `worn in ${quantity(years, 'yr')} by closed form`;
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
  const { entry, known, planned, chosen, full, alone, result } = props;
  const { onChoose, onCopy, onRemove } = props;
  const { array, letter, title } = entry;
  // The plan knows neither lost disks nor copies: what it says at once is of another array.
  const plan = array.layout.failed_disk_count > 0 || array.copies ? undefined : planned;
  const figures = instantFigures(known, plan);
  const { outlook, error } = known;
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
          <MenuItem disabled={full} onSelect={onCopy}>
            Copy this array
          </MenuItem>
          <MenuItem disabled={alone} onSelect={onRemove}>
            Remove it
          </MenuItem>
        </MenuButton>
      </header>
      <p className={`muted small ${styles.cardLine}`}>
        {array.layout.disks_count > 1 ? `${array.layout.disks_count} × ` : ''}
        {array.drive.name} · {LAYOUTS[array.layout.kind]}
      </p>
      <ArrayDrawing array={array} letter={letter} awake={awake} devices={result?.devices} />
      <Instant figures={figures} />
      <p className={`muted small ${styles.wear}`}>{error ?? wearOf(result, outlook, plan)}</p>
      {outlook?.note && <p className={`muted small ${styles.wear}`}>{outlook.note}</p>}
      {outlook?.swap && <p className={`small ${styles.payback}`}>{outlook.swap}</p>}
    </section>
  );
}
