import { useState } from 'react';
import { Button } from '../../../components/button';
import { CatalogueList } from '../../../components/catalogue-list';
import { Dialog } from '../../../components/dialog';
import { quantity } from '../../../lib/format';
import { CURRENT_NAMES } from '../../../lib/memory-modules';
import type { CatalogueEntry } from '../../../lib/types';
import { known } from '../frame/server-picker';

function figures(entry: CatalogueEntry): string {
  const lacks = CURRENT_NAMES.some((name) => known(entry, name) === null);
  const standby = known(entry, 'idd2n_ma');
  const currents = standby === null ? '' : `${standby} mA standby`;
  return [quantity(known(entry, 'capacity_gib'), 'GiB'), lacks ? 'currents not known' : currents]
    .filter(Boolean)
    .join(' · ');
}

/** Takes a memory module of the catalogue, its currents with it. */
export function MemoryPicker({ onTake }: { onTake: (entry: CatalogueEntry) => void }) {
  const [open, setOpen] = useState(false);
  const take = (entry: CatalogueEntry) => {
    onTake(entry);
    setOpen(false);
  };
  return (
    <>
      <div>
        <Button small icon="book" onClick={() => setOpen(true)}>
          From the catalogue
        </Button>
      </div>
      {open && (
        <Dialog title="Memory modules of the catalogue" onClose={() => setOpen(false)} width={560}>
          <CatalogueList
            kind="memory_module"
            search="Search the modules"
            empty="No module fits."
            lines={(entries) =>
              entries.map((entry) => ({
                key: entry.slug,
                title: entry.title,
                note: figures(entry),
                onTake: () => take(entry),
              }))
            }
          />
        </Dialog>
      )}
    </>
  );
}
