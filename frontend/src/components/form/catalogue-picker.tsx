import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Button, IconButton } from '../button';
import { CatalogueList } from '../catalogue-list';
import { QualityChip } from '../chip';
import { Select } from '../control';
import { Dialog } from '../dialog';
import { entryQueryOptions, regionPricesQueryOptions } from '../../lib/catalogue';
import { date, quantity, type Currency } from '../../lib/format';
import type { Json, JsonObject } from '../../lib/pointer';
import { words, type JsonSchema } from '../../lib/schema';
import type { CatalogueEntry } from '../../lib/types';
import { filling, regionPrice } from './fill';
import { useForm } from './form-context';
import {
  catalogueKindsFor,
  namedBy,
  nestedFilling,
  nothing,
  together,
  type Filling,
} from './places';
import styles from './form.module.css';

/** The price that an entry is chosen by is the first of these that it has. */
const PRICES = ['usd_per_h', 'unit_price_usd', 'usd_per_gb_month', 'usd_per_gb'];

function priceLine(entry: CatalogueEntry, currency: Currency): ReactNode {
  const numbers = Object.values(entry.values).filter((value) => typeof value.value === 'number');
  const chosen = PRICES.map((name) => entry.values[name]).find((value) => value != null);
  const price = chosen ?? numbers.find((value) => value.unit?.startsWith('USD')) ?? numbers[0];
  return (
    price && (
      <>
        {quantity(price.value as number, price.unit, currency)} · {date(price.as_of)}{' '}
        <QualityChip quality={price.quality} />
      </>
    )
  );
}

/** In the middle of a sentence: an abbreviation keeps its capitals. */
const lowered = (name: string) => (name === name.toUpperCase() ? name : name.toLowerCase());

/** The price in the document's region of an entry that is priced by the hour. */
async function priceHere(
  client: QueryClient,
  { provider, region }: JsonObject,
  pointer: string,
  entry: CatalogueEntry,
): Promise<Filling> {
  if (typeof region !== 'string' || !region || !entry.values.usd_per_h) return nothing();
  const wanted = { provider: String(provider ?? 'aws'), region, entries: [entry.slug] };
  try {
    const { prices } = await client.fetchQuery(regionPricesQueryOptions(wanted));
    return prices[0] ? regionPrice(pointer, prices[0]) : nothing();
  } catch {
    // The entry's own price stands, and its field says of which region it is.
    return nothing();
  }
}

interface CataloguePickerProps {
  schema: JsonSchema;
  pointer: string;
  value: Json | undefined;
  /** Whether the button says in words what it does. */
  labelled?: boolean;
}

/** What the other entries fill that an entry is made of: drives, GPUs, a bill of materials. */
async function partsOf(
  client: QueryClient,
  schema: JsonSchema,
  root: JsonSchema,
  pointer: string,
  entry: CatalogueEntry,
): Promise<Filling> {
  const slugs = namedBy(entry);
  if (slugs.length === 0) return nothing();
  try {
    const entries = await Promise.all(
      slugs.map((slug) => client.fetchQuery(entryQueryOptions(slug))),
    );
    const others = new Map(entries.map((one) => [one.slug, one]));
    return nestedFilling(schema, root, pointer, entry, others, (shape, at, one) =>
      filling(shape, root, at, {}, one),
    );
  } catch {
    // What it is made of cannot be read: the entry's own figures stand.
    return nothing();
  }
}

/** Fills a group from an entry of the catalogue, sources and dates included. */
export function CataloguePicker({
  schema,
  pointer,
  value,
  labelled = false,
}: CataloguePickerProps) {
  const form = useForm();
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState('');
  const kinds = catalogueKindsFor(schema);
  const [first] = kinds;
  if (!first) return null;
  const kind = kinds.includes(chosen) ? chosen : first;
  const take = async (entry: CatalogueEntry) => {
    setOpen(false);
    const own = filling(schema, form.root, pointer, value, entry);
    const [parts, local] = await Promise.all([
      partsOf(client, schema, form.root, pointer, entry),
      priceHere(client, form.held(), pointer, entry),
    ]);
    const { values, origins } = together(own, parts, local);
    form.fill(values, origins);
  };
  const show = () => setOpen(true);
  return (
    <>
      {labelled ? (
        <Button small icon="book" onClick={show}>
          Values from the catalogue
        </Button>
      ) : (
        <IconButton small icon="book" label="Take from the catalogue" onClick={show} />
      )}
      {open && (
        <Dialog
          title={`Take from the catalogue: ${lowered(words(kind))}`}
          width={680}
          onClose={() => setOpen(false)}
        >
          {kinds.length > 1 && (
            <div className={styles.kinds}>
              <Select
                aria-label="Kind of entry"
                choices={kinds.map((one) => ({ value: one, label: words(one) }))}
                value={kind}
                onChange={(event) => setChosen(event.target.value)}
              />
            </div>
          )}
          <CatalogueList
            key={kind}
            kind={kind}
            lines={(entries) =>
              entries.map((entry) => ({
                key: entry.slug,
                title: entry.title,
                note: priceLine(entry, form.currency),
                onTake: () => void take(entry),
              }))
            }
          />
        </Dialog>
      )}
    </>
  );
}
