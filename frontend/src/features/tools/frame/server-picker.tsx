import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { CatalogueList } from '../../../components/catalogue-list';
import { Segments } from '../../../components/control';
import { Dialog } from '../../../components/dialog';
import { Fault } from '../../../components/fault';
import { money, quantity } from '../../../lib/format';
import type { CatalogueEntry } from '../../../lib/types';
import { nodesOf, NOTHING_ASSUMED, type Assumed, type Store } from '../nodes/server-nodes';
import type { Row } from './table';
import { NumberField } from './number-field';

const STORES = [
  { value: 'memory', label: 'Memory' },
  { value: 'ssd', label: 'Flash' },
  { value: 'disk', label: 'Disks' },
];

/** A number of an entry; null where it does not say it. */
export function known(entry: CatalogueEntry, field: string): number | null {
  const value = entry.values[field]?.value;
  return typeof value === 'number' ? value : null;
}

interface ServersProps {
  onTake: (entry: CatalogueEntry) => void;
  onTakeAll?: (entries: CatalogueEntry[]) => void;
}

/** Servers of the catalogue, found by name. */
export function Servers({ onTake, onTakeAll }: ServersProps) {
  return (
    <CatalogueList
      kind="server"
      search="Search the servers"
      empty="No server fits."
      onTakeAll={onTakeAll}
      lines={(entries) =>
        entries.map((entry) => ({
          key: entry.slug,
          title: entry.title,
          note: `${money(known(entry, 'unit_price_usd'))} · ${quantity(known(entry, 'idle_w'), 'W')} to ${quantity(
            known(entry, 'peak_w'),
            'W',
          )}`,
          onTake: () => onTake(entry),
        }))
      }
    />
  );
}

interface AssumptionsProps {
  store: Store;
  assumed: Assumed;
  onChange: (assumed: Assumed) => void;
}

/** What stands in where an entry is silent; an empty field assumes nothing. */
function Assumptions({ store, assumed, onChange }: AssumptionsProps) {
  const field = (key: keyof Assumed, label: string, unit: string) => (
    <NumberField
      label={label}
      unit={unit}
      low={0}
      optional
      value={assumed[key]}
      onChange={(value) => onChange({ ...assumed, [key]: value })}
      onEmpty={() => onChange({ ...assumed, [key]: null })}
    />
  );
  return (
    <>
      <p className="muted small">
        Query rates are in no entry, prices in few. What you assume here fills the gaps, and stays
        yours to change in the table; an empty field leaves them.
      </p>
      {field('core_rate_per_s', 'Queries of a core', '1/s')}
      {field('core_price_usd', 'Price for each core', 'USD')}
      {store !== 'memory' && field('store_tb', 'Held by a node', 'TB')}
    </>
  );
}

interface ServerPickerProps {
  /** Names that are in the table already. */
  taken: ReadonlySet<string>;
  onTake: (rows: Row[]) => void;
}

/** Adds one server of the catalogue to the node types, or all that are found. */
export function ServerPicker({ taken, onTake }: ServerPickerProps) {
  const [open, setOpen] = useState(false);
  const [store, setStore] = useState<Store>('memory');
  const [assumed, setAssumed] = useState(NOTHING_ASSUMED);
  const take = useMutation({
    mutationFn: (entries: CatalogueEntry[]) => nodesOf(entries, store, assumed),
    onSuccess: (rows) => {
      onTake(rows);
      setOpen(false);
    },
  });
  return (
    <>
      <Button small icon="book" onClick={() => setOpen(true)}>
        From the catalogue
      </Button>
      {open && (
        <Dialog title="Servers of the catalogue" onClose={() => setOpen(false)} width={520}>
          <div className="stack gap-8 shrink">
            <div className="line gap-8">
              <span className="muted">The data set is kept in</span>
              <Segments
                label="The data set is kept in"
                value={store}
                choices={STORES}
                onChange={(value) => setStore(value as Store)}
              />
            </div>
            <Assumptions store={store} assumed={assumed} onChange={setAssumed} />
            <Servers
              onTake={(entry) => take.mutate([entry])}
              onTakeAll={(entries) => take.mutate(entries.filter(({ title }) => !taken.has(title)))}
            />
            <Fault of={take} />
          </div>
        </Dialog>
      )}
    </>
  );
}
