import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Dialog } from '../../../components/dialog';
import { Empty, QueryState } from '../../../components/query-state';
import { snapshotsQueryOptions } from '../../../lib/catalogue';
import { date } from '../../../lib/format';
import type { JsonObject } from '../../../lib/pointer';
import { messageOf } from '../../../lib/problem';
import { resolve, type JsonSchema } from '../../../lib/schema';
import { useMayEdit } from '../../../lib/session';
import { newerSnapshot, snapshotDay } from '../../../lib/snapshots';
import type { CatalogueEntry, CatalogueSnapshot, Provenance, Study } from '../../../lib/types';
import { presentEntriesQueryOptions } from '../api/prices';
import { entriesOf, refilled, type Refill } from '../refill';
import { AsOfChoice } from './as-of';
import { DifferenceList } from './difference-list';
import { designSchema } from './labels';
import formStyles from '../../../components/form/form.module.css';
import styles from './designs.module.css';

/** One part of a study with today's prices. */
export interface PartPrices extends Refill {
  prefix: string;
  title: string;
  schema: JsonSchema | undefined;
  before: { value: JsonObject; provenance: Provenance };
}

function partsOf(
  study: Study,
  plan: JsonSchema,
  entries: ReadonlyMap<string, CatalogueEntry>,
): PartPrices[] {
  const part = (
    prefix: string,
    title: string,
    schema: JsonSchema | undefined,
    before: PartPrices['before'],
  ) => ({
    ...refilled(before.value, before.provenance, entries),
    ...{ prefix, title, schema, before },
  });
  const shared = (['workload', 'assumptions'] as const).map((name) =>
    part(
      `/${name}`,
      name === 'workload' ? 'Workload' : 'Assumptions',
      resolve(plan.properties?.[name] ?? {}, plan).schema,
      {
        value: study[name],
        provenance: study[`${name}_provenance`],
      },
    ),
  );
  const designs = study.designs.map(({ letter, title, kind, spec, provenance }) =>
    part(`/designs/${letter}`, `${letter}, ${title}`, designSchema(plan, kind), {
      value: spec,
      provenance,
    }),
  );
  return [...designs, ...shared];
}

interface PricesProps {
  study: Study;
  plan: JsonSchema;
  onTake: (parts: readonly PartPrices[], snapshot: string) => Promise<void>;
}

interface TakeProps extends PricesProps {
  newer: CatalogueSnapshot;
  onClose: () => void;
}

function Differences({ parts, plan }: { parts: readonly PartPrices[]; plan: JsonSchema }) {
  const changed = parts.filter((part) => part.lines.length > 0);
  const lost = parts.reduce((count, part) => count + part.lost.length, 0);
  return (
    <div className={styles.versions}>
      {changed.length === 0 && (
        <Empty>Nothing that this study took from the catalogue has changed.</Empty>
      )}
      {changed.map((part) => (
        <section key={part.prefix}>
          <h3>{part.title}</h3>
          <DifferenceList
            lines={part.lines}
            heads={['Now', 'Then']}
            schema={part.schema}
            root={plan}
            document={part.before.value}
          />
        </section>
      ))}
      {lost > 0 && (
        <p className="muted small">
          {lost === 1 ? 'One value' : `${lost} values`} of entries that the catalogue has no more
          {lost === 1 ? ' stays' : ' stay'} as they are.
        </p>
      )}
    </div>
  );
}

/** Shows what today's prices would change, before they are taken. */
function TakePrices({ study, plan, newer, onTake, onClose }: TakeProps) {
  const entries = useQuery(presentEntriesQueryOptions(entriesOf(study)));
  const parts = entries.data ? partsOf(study, plan, entries.data) : [];
  const take = useMutation({ mutationFn: () => onTake(parts, newer.id), onSuccess: onClose });
  return (
    <Dialog
      title={`Take the prices of ${date(newer.as_of)}`}
      width={720}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            disabled={!entries.data || take.isPending}
            onClick={() => take.mutate()}
          >
            Take them
          </Button>
        </>
      }
    >
      <QueryState query={entries}>{() => <Differences parts={parts} plan={plan} />}</QueryState>
      {take.isError && (
        <p className={formStyles.fault} role="alert">
          {messageOf(take.error)}
        </p>
      )}
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
        {day ? `Made with the catalogue’s prices of ${date(day)}` : 'Pinned to no snapshot'}
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
