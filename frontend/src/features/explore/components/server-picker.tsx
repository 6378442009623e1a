import { useState } from 'react';
import { Button } from '../../../components/button';
import { CatalogueList } from '../../../components/catalogue-list';
import { Segments } from '../../../components/control';
import { Dialog } from '../../../components/dialog';
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
  return (
    <CatalogueList
      kind="server"
      search="Search the servers"
      empty="No server fits."
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
