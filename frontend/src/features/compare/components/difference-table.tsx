import { Fragment, useState, type CSSProperties } from 'react';
import { DesignBadge } from '../../../components/design-badge';
import { Chip } from '../../../components/chip';
import { Icon } from '../../../components/icon';
import { buttonClass } from '../../../components/button';
import type { Comparison, DesignResult, DifferenceRow } from '../../../lib/comparison';
import { CauseRows } from './cause-rows';
import { RowCell } from './row-cell';
import { YearBars } from './year-bars';
import styles from './difference-table.module.css';

interface DifferenceTableProps {
  comparison: Comparison;
  /** The study as saved, while inputs are moved: the old value stands beside the new one. */
  saved: Comparison | null;
}

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
              <span>{design.title}</span>
              {design.is_baseline && <Chip>today</Chip>}
              <DesignBadge letter={design.letter} />
            </div>
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Fold({ open, label, onToggle }: { open: boolean; label: string; onToggle: () => void }) {
  return (
    <button type="button" className={styles.fold} aria-expanded={open} onClick={onToggle}>
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

/** All designs side by side: best value marked, the difference to it in grey below. */
export function DifferenceTable({ comparison, saved }: DifferenceTableProps) {
  const { designs, rows, currency } = comparison;
  const [byCause, setByCause] = useState(false);
  const [byYear, setByYear] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const first = comparison.winner ?? designs[0]?.letter ?? '';
  const shown = designs.some((design) => design.letter === chosen) ? (chosen ?? first) : first;
  const years = rows.filter(isYear);
  const others = rows.filter((row) => !isYear(row));
  const cells = (row: DifferenceRow) =>
    designs.map((design) => (
      <RowCell
        key={design.letter}
        row={row}
        design={design}
        currency={currency}
        before={saved?.rows.find((entry) => entry.id === row.id)?.values[design.letter]}
        hidden={design.letter !== shown}
      />
    ));
  return (
    <>
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
            {others.map((row, at) => (
              <Fragment key={row.id}>
                <tr className={at === 0 ? styles.lead : ''}>
                  <th scope="row">
                    {at === 0 ? (
                      <Fold
                        open={byCause}
                        label={row.label}
                        onToggle={() => setByCause(!byCause)}
                      />
                    ) : (
                      row.label
                    )}
                  </th>
                  {cells(row)}
                </tr>
                {at === 0 && byCause && <CauseRows comparison={comparison} shown={shown} />}
                {at === 0 && years.length > 0 && (
                  <tr>
                    <th scope="row">
                      <Fold
                        open={byYear}
                        label="Year by year"
                        onToggle={() => setByYear(!byYear)}
                      />
                    </th>
                    {designs.map((design) => (
                      <td
                        key={design.letter}
                        className={`${styles.cell} ${design.letter === shown ? '' : styles.hidden}`}
                      >
                        <YearBars design={design} designs={designs} currency={currency} />
                      </td>
                    ))}
                  </tr>
                )}
                {at === 0 &&
                  byYear &&
                  years.map((year) => (
                    <tr key={year.id} className={styles.sub}>
                      <th scope="row">{year.label}</th>
                      {cells(year)}
                    </tr>
                  ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
