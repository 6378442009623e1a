import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Segments } from '../../../components/control';
import { Fault } from '../../../components/fault';
import { Failed, Loading } from '../../../components/query-state';
import { Rich } from '../../../components/rich';
import { Table } from '../../../components/table';
import type { ToldFigure } from '../../../components/told/told';
import { ToldChart } from '../../../components/told/told-figures';
import { MISSING, money, quantity, statedCurrency } from '../../../lib/format';
import { documentQueryOptions } from '../../../lib/studies';
import type { StudyDocument } from '../../../lib/types';
import { DESIGNS_MOST, FULL, useAddExplored } from '../api/designs';
import {
  exploreQueryOptions,
  type Explored,
  type ExploredDesign,
  type Measure,
} from '../api/explore';
import { NO_LIMITS, SearchLimitsForm } from './search-limits';
import styles from './explore.module.css';

const AGAINST: { value: Measure; label: string }[] = [
  { value: 'energy_kwh', label: 'Electricity' },
  { value: 'kgco2e', label: 'Emissions' },
  { value: 'racks_count', label: 'Racks' },
];

/** The designs of the whole catalogue for the work of a study, beside those that it compares. */
export function ExplorePage({ studyId }: { studyId: string }) {
  const document = useQuery(documentQueryOptions(studyId));
  if (document.isError) return <Failed error={document.error} minHeight={240} />;
  if (!document.data) return <Loading minHeight={480} />;
  return <Found studyId={studyId} document={document.data} />;
}

function Found({ studyId, document }: { studyId: string; document: StudyDocument }) {
  const [against, setAgainst] = useState<Measure>('energy_kwh');
  const [limits, setLimits] = useState(NO_LIMITS);
  const found = useQuery({
    ...exploreQueryOptions(studyId, document, against, limits),
    placeholderData: keepPreviousData,
  });
  const [chosen, setChosen] = useState<string | null>(null);
  const currency = statedCurrency(document.assumptions.currency);
  if (found.isError && !found.data) {
    return <Failed error={found.error} onRetry={() => void found.refetch()} minHeight={240} />;
  }
  if (!found.data) {
    return (
      <>
        <p className="muted">Searching the catalogue …</p>
        <Loading minHeight={480} />
      </>
    );
  }
  const { sentence, compared, figure, designs } = found.data;
  return (
    <div className={styles.page} aria-busy={found.isFetching}>
      <section aria-label="Result">
        <p className={styles.sentence}>
          <Rich text={sentence} />
        </p>
        {compared.length > 0 && (
          <ul className={styles.compared}>
            {compared.map((one) => (
              <li key={one.letter}>{one.sentence}</li>
            ))}
          </ul>
        )}
        <SearchLimitsForm currency={currency} onChange={setLimits} />
        {found.isError && <Failed error={found.error} onRetry={() => void found.refetch()} />}
      </section>
      {designs.length > 0 && (
        <>
          <ToldChart
            name="Designs of the catalogue"
            figure={figure as unknown as ToldFigure}
            currency={currency}
            height={380}
            onPoint={(usd) => setChosen(nearest(designs, usd / currency.per_usd))}
            controls={
              <Segments
                label="Against"
                value={against}
                choices={AGAINST}
                onChange={(value) => setAgainst(value as Measure)}
              />
            }
          />
          <Designs
            studyId={studyId}
            found={found.data}
            chosen={chosen}
            full={document.designs.length >= DESIGNS_MOST}
            written={(usd) => money(usd, currency)}
          />
        </>
      )}
    </div>
  );
}

interface DesignsProps {
  studyId: string;
  found: Explored;
  /** Key of the design whose dot was pressed. */
  chosen: string | null;
  full: boolean;
  written: (usd: number) => string;
}

/** The design whose cost is nearest to where a dot was pressed. */
function nearest(designs: readonly ExploredDesign[], usd: number): string | null {
  const off = (one: ExploredDesign) => Math.abs(one.cost_usd - usd);
  return (
    designs.reduce<ExploredDesign | null>(
      (best, one) => (best === null || off(one) < off(best) ? one : best),
      null,
    )?.key ?? null
  );
}

const BEST = 'Best';

function Designs({ studyId, found, chosen, full, written }: DesignsProps) {
  const [shown, setShown] = useState(BEST);
  const add = useAddExplored(studyId);
  const kinds = [...new Set(found.designs.map((one) => one.kind_title))];
  const pressed = found.designs.filter((one) => one.key === chosen);
  const others = found.designs.filter((one) =>
    shown === BEST ? one.on_front || one.best_of_kind : one.kind_title === shown,
  );
  const rows = [...new Set([...pressed, ...others])];
  return (
    <section aria-labelledby="found-title">
      <div className={styles.head}>
        <h2 id="found-title" className="title">
          Designs found
        </h2>
        <Segments
          label="Show"
          value={shown}
          choices={[BEST, ...kinds].map((value) => ({ value, label: value }))}
          onChange={setShown}
        />
      </div>
      {full && <p className="muted small">{FULL}</p>}
      <Fault of={add} small />
      {add.data && (
        <p className="small" role="status">
          Added as design {add.data.letter}.{' '}
          <Link to="/studies/$studyId/designs" params={{ studyId }}>
            Open it
          </Link>
        </p>
      )}
      <Table
        label="Designs, their costs and sizes"
        heads={['Design', 'Kind', 'Cost', 'Electricity', 'Emissions', 'Racks']}
        acts
        tableClass={styles.table}
      >
        {rows.map((one) => (
          <Row
            key={one.key}
            design={one}
            written={written}
            chosen={one.key === chosen}
            adding={add.isPending && add.variables === one.key}
            onAdd={full ? null : () => add.mutate(one.key)}
          />
        ))}
      </Table>
      <p className="muted small">
        Costs are as entered, without ranges and without machines bought ahead.
        {found.designs.some((one) => one.kind === 'shelves') &&
          ' A RAID-6 shelf keeps its data in one enclosure: how likely they are lost stands on Compare once it is added.'}
      </p>
    </section>
  );
}

const known = (value: number | null, unit: string) =>
  value === null ? <span title="Unknown for this design.">{MISSING}</span> : quantity(value, unit);

interface RowProps {
  design: ExploredDesign;
  written: (usd: number) => string;
  chosen: boolean;
  adding: boolean;
  onAdd: (() => void) | null;
}

function Row({ design, written, chosen, adding, onAdd }: RowProps) {
  return (
    <tr data-best={design.why_not === '' || undefined} data-chosen={chosen || undefined}>
      <th scope="row">
        {design.title}
        <span className="muted small">{design.why_not}</span>
      </th>
      <td>{design.kind_title}</td>
      <td>{written(design.cost_usd)}</td>
      <td>{known(design.energy_kwh, 'kWh')}</td>
      <td>{known(design.kgco2e, 'kgCO2e')}</td>
      <td>{design.racks_count}</td>
      <td>
        {onAdd && (
          <Button small icon="plus" onClick={onAdd} disabled={adding}>
            {adding ? 'Adding …' : 'Add'}
          </Button>
        )}
      </td>
    </tr>
  );
}
