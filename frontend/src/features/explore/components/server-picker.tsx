import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Button } from '../../../components/button';
import { Segments, TextInput } from '../../../components/control';
import { Dialog } from '../../../components/dialog';
import { Empty, Failed, Loading } from '../../../components/query-state';
import { entriesQueryOptions } from '../../../lib/catalogue';
import { money, quantity } from '../../../lib/format';
import type { CatalogueEntry } from '../../../lib/types';
import { nodeOf } from '../nodes';
import type { Row } from '../table';
import styles from './explore.module.css';

type Store = 'memory' | 'ssd' | 'disk';

const STORES = [
  { value: 'memory', label: 'Memory' },
  { value: 'ssd', label: 'Flash' },
  { value: 'disk', label: 'Disks' },
];

function known(entry: CatalogueEntry, field: string): number | null {
  const value = entry.values[field]?.value;
  return typeof value === 'number' ? value : null;
}

interface ServersProps {
  onTake: (entry: CatalogueEntry) => void;
}

/** Servers of the catalogue, found by name. */
export function Servers({ onTake }: ServersProps) {
  const [typed, setTyped] = useState('');
  const wanted = useDeferredValue(typed.trim());
  const query = useInfiniteQuery(entriesQueryOptions({ kind: 'server', q: wanted }));
  const entries = query.data?.pages.flatMap((page) => page.results) ?? [];
  return (
    <>
      <TextInput
        type="search"
        aria-label="Search the servers"
        placeholder="Search the servers"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {query.isPending && <Loading minHeight={200} />}
      {query.isError && <Failed error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && entries.length === 0 && <Empty>No server fits.</Empty>}
      <ul className={styles.entries}>
        {entries.map((entry) => (
          <li key={entry.slug}>
            <button type="button" onClick={() => onTake(entry)}>
              <span>{entry.title}</span>
              <span className="muted small num">
                {money(known(entry, 'unit_price_usd'))} · {quantity(known(entry, 'idle_w'), 'W')} to{' '}
                {quantity(known(entry, 'peak_w'), 'W')}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button look="quiet" onClick={() => void query.fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}

/** Adds a server of the catalogue to the node types. */
export function ServerPicker({ onTake }: { onTake: (row: Row) => void }) {
  const [open, setOpen] = useState(false);
  const [store, setStore] = useState<Store>('memory');
  return (
    <>
      <Button small icon="book" onClick={() => setOpen(true)}>
        From the catalogue
      </Button>
      {open && (
        <Dialog title="Servers of the catalogue" onClose={() => setOpen(false)} width={520}>
          <div className={styles.group}>
            <div className={styles.buttons}>
              <span className="muted">The data set is kept in</span>
              <Segments
                label="The data set is kept in"
                value={store}
                choices={STORES}
                onChange={(value) => setStore(value as Store)}
              />
            </div>
            <p className="muted small">
              What an entry does not say stays empty. Type it: the catalogue has no query rates.
            </p>
            <Servers
              onTake={(entry) => {
                onTake(nodeOf(entry, store));
                setOpen(false);
              }}
            />
          </div>
        </Dialog>
      )}
    </>
  );
}
