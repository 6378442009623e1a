import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Button, IconButton } from '../../../components/button';
import { QualityChip } from '../../../components/chip';
import { TextInput } from '../../../components/control';
import { Dialog } from '../../../components/dialog';
import { Empty, Failed, Loading } from '../../../components/query-state';
import { entriesQueryOptions } from '../../../lib/catalogue';
import { date, quantity } from '../../../lib/format';
import type { Json } from '../../../lib/pointer';
import { words, type JsonSchema } from '../../../lib/schema';
import type { CatalogueEntry } from '../../../lib/types';
import { catalogueKindFor, filling } from './fill';
import { useForm } from './form-context';
import styles from './form.module.css';

function EntryLine({ entry }: { entry: CatalogueEntry }) {
  const numbers = Object.values(entry.values).filter((value) => typeof value.value === 'number');
  const price = numbers.find((value) => value.unit?.startsWith('USD')) ?? numbers[0];
  return (
    <>
      <span>{entry.title}</span>
      {price && (
        <span className="muted small num">
          {quantity(price.value as number, price.unit)} · {date(price.as_of)}{' '}
          <QualityChip quality={price.quality} />
        </span>
      )}
    </>
  );
}

function Entries({ kind, onTake }: { kind: string; onTake: (entry: CatalogueEntry) => void }) {
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text.trim());
  const query = useInfiniteQuery(entriesQueryOptions({ kind, q: wanted }));
  const entries = query.data?.pages.flatMap((page) => page.results) ?? [];
  return (
    <div className={styles.picker}>
      <TextInput
        type="search"
        placeholder="Search the catalogue"
        aria-label="Search the catalogue"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {query.isPending && <Loading minHeight={240} lines={8} />}
      {query.isError && <Failed error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && entries.length === 0 && <Empty>Nothing in the catalogue fits.</Empty>}
      {entries.length > 0 && (
        <div className={styles.entries}>
          {entries.map((entry) => (
            <button
              key={entry.slug}
              type="button"
              className={styles.entry}
              onClick={() => onTake(entry)}
            >
              <EntryLine entry={entry} />
            </button>
          ))}
          {query.hasNextPage && (
            <Button look="quiet" onClick={() => void query.fetchNextPage()}>
              Show more
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

interface CataloguePickerProps {
  schema: JsonSchema;
  pointer: string;
  value: Json | undefined;
}

/** Fills a group from an entry of the catalogue, sources and dates included. */
export function CataloguePicker({ schema, pointer, value }: CataloguePickerProps) {
  const form = useForm();
  const [open, setOpen] = useState(false);
  const kind = catalogueKindFor(schema);
  if (!kind) return null;
  const take = (entry: CatalogueEntry) => {
    const { values, origins } = filling(schema, form.root, pointer, value, entry);
    form.fill(values, origins);
    setOpen(false);
  };
  return (
    <>
      <IconButton small icon="book" label="Take from the catalogue" onClick={() => setOpen(true)} />
      {open && (
        <Dialog
          title={`Take from the catalogue: ${words(kind).toLowerCase()}`}
          width={680}
          onClose={() => setOpen(false)}
        >
          <Entries kind={kind} onTake={take} />
        </Dialog>
      )}
    </>
  );
}
