import { Chip } from '../../../components/chip';
import { DesignBadge } from '../../../components/design-badge';
import { MenuButton, MenuItem } from '../../../components/menu';
import { ArrayDrawing } from '../drawing/array-drawing';
import type { ArrayResult } from '../result';
import type { Entry } from '../types';
import type { Planned } from '../use-beside';
import type { Known } from '../use-outlooks';
import { LAYOUTS } from '../words';
import { useLast } from '../use-last';
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

/** Dashes where what is entered has a fault. */
function Instant({ planned }: { planned: Planned | undefined }) {
  const atOnce = planned?.atOnce ?? undefined;
  const { figures = [] } = useLast(atOnce) ?? {};
  return (
    <dl className={styles.instant} aria-label="At once, in closed form">
      {figures.map(({ id, label, text, note }) => (
        <div key={id}>
          <dt>{label}</dt>
          <dd title={(atOnce ? note : planned?.reason) ?? undefined}>{atOnce ? text : '—'}</dd>
        </div>
      ))}
    </dl>
  );
}

function Said({ known: { outlook, error }, wear }: { known: Known; wear: string | undefined }) {
  return (
    <>
      <p className={`muted small ${styles.wear}`}>{error ?? wear}</p>
      {outlook?.note && <p className={`muted small ${styles.wear}`}>{outlook.note}</p>}
      {outlook?.swap && <p className={`small ${styles.payback}`}>{outlook.swap}</p>}
    </>
  );
}

/** One array: its drawing, and what can be said of it at once. Pressing it edits it. */
export function ArrayCard(props: ArrayCardProps) {
  const { entry, known, planned, chosen, full, alone, result } = props;
  const { onChoose, onCopy, onRemove } = props;
  const { array, letter, title } = entry;
  const atOnce = planned?.atOnce;
  const drawn = useLast(known.outlook?.drawn);
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
        {atOnce?.overloaded && <Chip tone="bad">overloaded</Chip>}
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
      {drawn && <ArrayDrawing array={drawn} letter={letter} devices={result?.devices} />}
      <Instant planned={planned} />
      <Said known={known} wear={result?.wear ?? atOnce?.wear} />
    </section>
  );
}
