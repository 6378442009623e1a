import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Dialog } from '../../../components/dialog';
import { Fault } from '../../../components/fault';
import { Empty, QueryState } from '../../../components/query-state';
import { snapshotsQueryOptions } from '../../../lib/catalogue';
import { date } from '../../../lib/format';
import { useTakePrices } from '../../../lib/outlooks';
import type { JsonObject } from '../../../lib/pointer';
import { resolve, type JsonSchema } from '../../../lib/schema';
import { useMayEdit } from '../../../lib/session';
import { newerSnapshot, snapshotDay } from '../../../lib/snapshots';
import { useCurrency } from '../../../lib/studies';
import type { CatalogueSnapshot, Study, StudyPrices } from '../../../lib/types';
import { newerPricesQueryOptions } from '../api/prices';
import { AsOfChoice } from './as-of';
import { DifferenceList } from './difference-list';
import { designSchema } from './labels';
import styles from './designs.module.css';

interface PricesProps {
  study: Study;
  plan: JsonSchema;
}

interface Part {
  title: string;
  schema: JsonSchema | undefined;
  document: JsonObject;
  lines: StudyPrices['changes'];
}

/** The parts of a study in which something would change, designs first. */
function partsOf(study: Study, plan: JsonSchema, changes: StudyPrices['changes']): Part[] {
  const designs = study.designs.map(({ letter, title, kind, spec }) => ({
    title: `${letter}, ${title}`,
    schema: designSchema(plan, kind),
    document: spec,
    lines: changes.filter((change) => change.letter === letter),
  }));
  const shared = (['workload', 'assumptions'] as const).map((name) => ({
    title: name === 'workload' ? 'Workload' : 'Assumptions',
    schema: resolve(plan.properties?.[name] ?? {}, plan).schema,
    document: study[name],
    lines: changes.filter(({ part }) => part === `/${name}`),
  }));
  return [...designs, ...shared].filter(({ lines }) => lines.length > 0);
}

function Differences({ study, plan, prices }: PricesProps & { prices: StudyPrices }) {
  const { changes, gone_count: gone } = prices;
  const currency = useCurrency(study.id);
  return (
    <div className="stack gap-16">
      {changes.length === 0 && (
        <Empty>Nothing that this study took from the catalogue has changed.</Empty>
      )}
      {partsOf(study, plan, changes).map((part) => (
        <section key={part.title}>
          <h3>{part.title}</h3>
          <DifferenceList {...part} heads={['Now', 'Then']} root={plan} currency={currency} />
        </section>
      ))}
      {gone > 0 && (
        <p className="muted small">
          {gone === 1 ? 'One value' : `${gone} values`} of entries that the catalogue has no more
          {gone === 1 ? ' stays' : ' stay'} as {gone === 1 ? 'it is' : 'they are'}.
        </p>
      )}
    </div>
  );
}

interface TakeProps extends PricesProps {
  newer: CatalogueSnapshot;
  onClose: () => void;
}

/** Shows what today's prices would change, before they are taken. */
function TakePrices({ study, plan, newer, onClose }: TakeProps) {
  const prices = useQuery(newerPricesQueryOptions(study.id));
  const take = useTakePrices();
  return (
    <Dialog
      title={`Take the prices of the catalogue of ${date(newer.as_of)}`}
      width={720}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            disabled={!prices.data || take.isPending}
            onClick={() => take.mutate(study.id, { onSuccess: onClose })}
          >
            Take them
          </Button>
        </>
      }
    >
      <QueryState query={prices}>
        {(found) => <Differences study={study} plan={plan} prices={found} />}
      </QueryState>
      <Fault of={take} />
    </Dialog>
  );
}

/** Which snapshot of the catalogue a study was made with, and the way to a newer one. */
export function Prices(props: PricesProps) {
  const { snapshot } = props.study;
  const [open, setOpen] = useState(false);
  const mayEdit = useMayEdit();
  const known = useQuery(snapshotsQueryOptions).data?.results ?? [];
  const newer = newerSnapshot(snapshot, known);
  const day = snapshotDay(snapshot);
  return (
    <div className={styles.prices}>
      <span>
        {day ? `Made with the catalogue of ${date(day)}` : 'Made with no catalogue'}
        {known.some(({ id }) => id === snapshot) && (
          <span className="muted small"> snapshot {snapshot}</span>
        )}
      </span>
      {newer ? (
        <Button small icon="book" disabled={!mayEdit} onClick={() => setOpen(true)}>
          Take today’s prices …
        </Button>
      ) : (
        known.length > 0 && <span className="muted small">the newest there are</span>
      )}
      <AsOfChoice study={props.study} />
      {open && newer && <TakePrices {...props} newer={newer} onClose={() => setOpen(false)} />}
    </div>
  );
}
