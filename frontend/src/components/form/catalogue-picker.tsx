import { useState, type ReactNode } from 'react';
import { IconButton } from '../button';
import { CatalogueList } from '../catalogue-list';
import { QualityChip } from '../chip';
import { Dialog } from '../dialog';
import { date, quantity } from '../../lib/format';
import type { Json } from '../../lib/pointer';
import { words, type JsonSchema } from '../../lib/schema';
import type { CatalogueEntry } from '../../lib/types';
import { catalogueKindFor, filling } from './fill';
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
                onTake: () => take(entry),
              }))
            }
          />
        </Dialog>
      )}
    </>
  );
}
