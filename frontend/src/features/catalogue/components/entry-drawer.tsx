import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { QualityChip } from '../../../components/chip';
import { Dialog } from '../../../components/dialog';
import { QueryState } from '../../../components/query-state';
import { entryQueryOptions } from '../../../lib/catalogue';
import { date, entered, range, USD } from '../../../lib/format';
import { words } from '../../../lib/schema';
import { messageOf } from '../../../lib/problem';
import { useMayEdit } from '../../../lib/session';
import type { CatalogueEntry, CatalogueValue } from '../../../lib/types';
import { useDeleteEntry } from '../api/own-entries';
import { fieldLabel, fullValue, NOT_KNOWN, ordered } from '../words';
import { unitsOf } from '../filter';
import { OwnEntry } from './own-entry';
import styles from './catalogue.module.css';

function Value({ name, value }: { name: string; value: CatalogueValue }) {
  const { low, high } = value;
  return (
    <div className={styles.value}>
      <div className={`${styles.line} apart gap-16 flex baseline`}>
        <span title={name}>{fieldLabel(name)}</span>
        <strong>{fullValue(value)}</strong>
      </div>
      <div className={`${styles.origin} small muted`}>
        <QualityChip quality={value.quality} />
        {value.url ? (
          <a href={value.url} target="_blank" rel="noreferrer">
            {value.source}
          </a>
        ) : (
          <span>{value.source}</span>
        )}
        {value.as_of && <span>{date(value.as_of)}</span>}
        {low !== null && high !== null && low !== high && (
          <span className="num">range {range(low, high, value.unit ?? '', USD, entered)}</span>
        )}
      </div>
      {value.note && <p className="small muted">{value.note}</p>}
    </div>
  );
}

/** Which groups of figures an entry lacks, and why. */
function Lacking({ said }: { said: CatalogueValue | undefined }) {
  if (typeof said?.value !== 'string') return null;
  return (
    <ul className={`${styles.lacking} small muted`} aria-label="Not known">
      {said.value.split('; ').map((line) => (
        <li key={line}>{words(line)}.</li>
      ))}
    </ul>
  );
}

/** What may be done with an entry of one's own. */
function Own({ entry, onGone }: { entry: CatalogueEntry; onGone: () => void }) {
  const [edits, setEdits] = useState(false);
  const remove = useDeleteEntry();
  return (
    <div className="line gap-8">
      <Button onClick={() => setEdits(true)}>Edit</Button>
      <Button
        look="danger"
        icon="trash"
        disabled={remove.isPending}
        ask={`Delete ${entry.title}? Documents filled from it keep their numbers.`}
        onClick={() => remove.mutate(entry.slug, { onSuccess: onGone })}
      >
        Delete
      </Button>
      {remove.isError && <span className="fault">{messageOf(remove.error)}</span>}
      {edits && (
        <OwnEntry
          kind={entry.kind}
          units={unitsOf([entry])}
          starts={[]}
          entry={entry}
          onClose={() => setEdits(false)}
        />
      )}
    </div>
  );
}

/** One entry: every value with how well it is known, its source, its date and its range. */
export function EntryDrawer({ slug, onClose }: { slug: string; onClose: () => void }) {
  const entry = useQuery(entryQueryOptions(slug));
  const mayEdit = useMayEdit();
  return (
    <Dialog drawer width={480} title={entry.data?.title ?? 'Catalogue entry'} onClose={onClose}>
      <QueryState query={entry} minHeight={320}>
        {(data) => (
          <>
            <p className="muted">
              {words(data.kind)}
              {data.is_own && ', added by this workspace'}. A field that is not listed is not known.
            </p>
            {data.is_own && mayEdit && <Own entry={data} onGone={onClose} />}
            <Lacking said={data.values[NOT_KNOWN]} />
            <div className="stack">
              {ordered(data.values).map(([name, value]) => (
                <Value key={name} name={name} value={value} />
              ))}
            </div>
          </>
        )}
      </QueryState>
    </Dialog>
  );
}
