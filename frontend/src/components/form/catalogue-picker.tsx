import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { IconButton } from '../button';
import { CatalogueList } from '../catalogue-list';
import { QualityChip } from '../chip';
import { Dialog } from '../dialog';
import { regionPricesQueryOptions } from '../../lib/catalogue';
import { date, quantity } from '../../lib/format';
import type { Json, JsonObject } from '../../lib/pointer';
import { words, type JsonSchema } from '../../lib/schema';
import type { CatalogueEntry } from '../../lib/types';
import { catalogueKindFor, filling, regionPrice, type Filling } from './fill';
import { useForm } from './form-context';

function priceLine(entry: CatalogueEntry): ReactNode {
  const numbers = Object.values(entry.values).filter((value) => typeof value.value === 'number');
  const price = numbers.find((value) => value.unit?.startsWith('USD')) ?? numbers[0];
  return (
    price && (
      <>
        {quantity(price.value as number, price.unit)} · {date(price.as_of)}{' '}
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
  const none: Filling = { values: [], origins: [] };
  if (typeof region !== 'string' || !region || !entry.values.usd_per_h) return none;
  const wanted = { provider: String(provider ?? 'aws'), region, entries: [entry.slug] };
  try {
    const { prices } = await client.fetchQuery(regionPricesQueryOptions(wanted));
    return prices[0] ? regionPrice(pointer, prices[0]) : none;
  } catch {
    // The entry's own price stands, and its field says of which region it is.
    return none;
  }
}

interface CataloguePickerProps {
  schema: JsonSchema;
  pointer: string;
  value: Json | undefined;
}

/** Fills a group from an entry of the catalogue, sources and dates included. */
export function CataloguePicker({ schema, pointer, value }: CataloguePickerProps) {
  const form = useForm();
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const kind = catalogueKindFor(schema);
  if (!kind) return null;
  const take = async (entry: CatalogueEntry) => {
    setOpen(false);
    const { values, origins } = filling(schema, form.root, pointer, value, entry);
    const local = await priceHere(client, form.held(), pointer, entry);
    form.fill([...values, ...local.values], [...origins, ...local.origins]);
  };
  return (
    <>
      <IconButton small icon="book" label="Take from the catalogue" onClick={() => setOpen(true)} />
      {open && (
        <Dialog
          title={`Take from the catalogue: ${lowered(words(kind))}`}
          width={680}
          onClose={() => setOpen(false)}
        >
          <CatalogueList
            kind={kind}
            lines={(entries) =>
              entries.map((entry) => ({
                key: entry.slug,
                title: entry.title,
                note: priceLine(entry),
                onTake: () => void take(entry),
              }))
            }
          />
        </Dialog>
      )}
    </>
  );
}
