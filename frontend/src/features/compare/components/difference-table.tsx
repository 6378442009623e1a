import { useState, type CSSProperties, type ReactNode } from 'react';
import { DesignBadge } from '../../../components/design-badge';
import { Chip } from '../../../components/chip';
import { Icon } from '../../../components/icon';
import { buttonClass } from '../../../components/button';
import type { Comparison, DesignResult, DifferenceRow } from '../../../lib/comparison';
import { CauseRows } from './cause-rows';
import { RowCell } from './row-cell';
import { DemandRow, OddsRow } from './deciding-rows';
import { SpareRow } from './spare-row';
import { YearBars } from './year-bars';
import styles from '../../../components/comparison-table.module.css';

interface DifferenceTableProps {
  comparison: Comparison;
  /** The study as saved, while inputs are moved: the old value stands beside the new one. */
  saved: Comparison | null;
}

// What decides, of the kinds of designs that have it; the rest is one press away.
const ALWAYS = new Set([
  'energy_kwh',
  'carbon_kgco2e',
  'usd_per_m_output_tokens',
  'stream_0_tpot_ms',
  'usd_per_run',
  'training_0_run_h',
  'array_response_p99_ms',
  'array_loss_fraction_per_year',
  'array_object_nines_count',
  'service_response_p99_ms',
]);

const isYear = (row: DifferenceRow) => /^year_\d+/.test(row.id);

function Head({ designs, shown }: { designs: DesignResult[]; shown: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">
          <span className="visually-hidden">Figure</span>
        </th>
        {designs.map((design) => (
          <th
            key={design.letter}
            scope="col"
            className={design.letter === shown ? '' : styles.hidden}
          >
            <div className={styles.design}>
              <span className={styles.title}>
                {design.title}
                {design.is_baseline && <Chip>today</Chip>}
                {!design.carries_load && <Chip tone="warning">does not meet demand</Chip>}
              </span>
              <DesignBadge letter={design.letter} />
            </div>
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** What a row is, and beneath it how it is counted. */
function Label({ text }: { text: string }) {
  const [name, ...how] = text.split(', ');
  return (
    <span>
      {name}
      {how.length > 0 && <span className={`${styles.how} small`}>{how.join(', ')}</span>}
    </span>
  );
}

interface FoldProps {
  open: boolean;
  label: ReactNode;
  /** What the label says in one line. */
  name?: string;
  onToggle: () => void;
}

function Fold({ open, label, name, onToggle }: FoldProps) {
  return (
    <button
      type="button"
      className={styles.fold}
      aria-expanded={open}
      aria-label={name}
      onClick={onToggle}
    >
      <Icon name="chevronRight" size={12} />
      {label}
    </button>
  );
}

/** On a phone one design at a time. */
function Chooser(props: {
  designs: DesignResult[];
  shown: string;
  onShow: (letter: string) => void;
}) {
  return (
    <div className={styles.choose} role="group" aria-label="Design shown">
      {props.designs.map((design) => (
        <button
          key={design.letter}
          type="button"
          aria-pressed={design.letter === props.shown}
          className={buttonClass({ small: true })}
          onClick={() => props.onShow(design.letter)}
        >
          <DesignBadge letter={design.letter} />
        </button>
      ))}
    </div>
  );
}

interface SectionProps extends DifferenceTableProps {
  shown: string;
}

function RowLine(props: SectionProps & RowLineOwn) {
  const { row, comparison, saved, shown, head, className, plain } = props;
  return (
    <tr className={className}>
      <th scope="row" aria-label={head ? undefined : row.label}>
        {head ?? <Label text={row.label} />}
      </th>
      {comparison.designs.map((design) => (
        <RowCell
          key={design.letter}
          row={row}
          design={design}
          comparison={comparison}
          before={saved?.rows.find((entry) => entry.id === row.id)?.values[design.letter]}
          hidden={design.letter !== shown}
          plain={plain}
        />
      ))}
    </tr>
  );
}

interface RowLineOwn {
  plain?: boolean;
  row: DifferenceRow;
  head?: ReactNode;
  className?: string;
}

function CostRows(props: SectionProps & { row: DifferenceRow }) {
  const [open, setOpen] = useState(false);
  const { row, comparison, shown } = props;
  return (
    <>
      <RowLine
        {...props}
        className={styles.lead}
        head={
          <Fold
            open={open}
            label={<Label text={row.label} />}
            name={row.label}
            onToggle={() => setOpen(!open)}
          />
        }
      />
      {open && <CauseRows comparison={comparison} shown={shown} />}
    </>
  );
}

function YearRows(props: SectionProps & { years: DifferenceRow[] }) {
  const [open, setOpen] = useState(false);
  const { designs, currency } = props.comparison;
  return (
    <>
      <tr>
        <th scope="row">
          <Fold open={open} label="Year by year" onToggle={() => setOpen(!open)} />
        </th>
        {designs.map((design) => (
          <td
            key={design.letter}
            className={`${styles.cell} ${design.letter === props.shown ? '' : styles.hidden}`}
          >
            <YearBars design={design} designs={designs} currency={currency} />
          </td>
        ))}
      </tr>
      {open &&
        props.years.map((row) => (
          <RowLine key={row.id} {...props} row={row} className={styles.sub} />
        ))}
    </>
  );
}

function MoreRows(props: SectionProps & { rows: DifferenceRow[]; years: DifferenceRow[] }) {
  const [open, setOpen] = useState(false);
  const { comparison, shown, rows, years } = props;
  return (
    <>
      <tr className={styles.more}>
        <th scope="row" colSpan={comparison.designs.length + 1}>
          <Fold open={open} label="More figures" onToggle={() => setOpen(!open)} />
        </th>
      </tr>
      {open && years.length > 0 && <YearRows {...props} years={years} />}
      {open && <SpareRow comparison={comparison} shown={shown} />}
      {open && rows.map((row) => <RowLine key={row.id} {...props} row={row} />)}
    </>
  );
}

/** All designs side by side: best value marked, the difference to it in grey below. */
export function DifferenceTable(props: DifferenceTableProps) {
  const { comparison } = props;
  const { designs, rows } = comparison;
  const [chosen, setChosen] = useState<string | null>(null);
  const first = comparison.winner ?? designs[0]?.letter ?? '';
  const shown = designs.some((design) => design.letter === chosen) ? (chosen ?? first) : first;
  const [lead, ...others] = rows.filter((row) => !isYear(row));
  const years = rows.filter(isYear);
  // The pay-off is that of the measure which the verdict goes by.
  const byValue = comparison.ranked_by === 'present_value';
  const paysOff = byValue ? 'break_even_discounted_months' : 'break_even_months';
  const isFirst = ({ id }: DifferenceRow) => ALWAYS.has(id) || id === paysOff;
  const always = others.filter((row) => isFirst(row));
  const more = others.filter((row) => !isFirst(row));
  const section = { ...props, shown };
  return (
    <div>
      <Chooser designs={designs} shown={shown} onShow={setChosen} />
      <div
        className={styles.wrap}
        tabIndex={0}
        role="region"
        aria-label="Comparison of the designs"
      >
        <table className={styles.table} style={{ '--columns': designs.length } as CSSProperties}>
          <Head designs={designs} shown={shown} />
          <tbody>
            {lead && <CostRows {...section} row={lead} />}
            {comparison.odds && <OddsRow comparison={comparison} shown={shown} />}
            {always.map((row) => (
              <RowLine key={row.id} {...section} row={row} plain />
            ))}
            <DemandRow comparison={comparison} shown={shown} />
            <MoreRows {...section} rows={more} years={years} />
          </tbody>
        </table>
      </div>
    </div>
  );
}
