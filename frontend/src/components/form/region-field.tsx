import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { IconButton } from '../button';
import { CatalogueList } from '../catalogue-list';
import { TextInput } from '../control';
import { Dialog } from '../dialog';
import { regionPricesQueryOptions } from '../../lib/catalogue';
import type { JsonObject } from '../../lib/pointer';
import type { RegionPrices } from '../../lib/types';
import type { FieldProps } from './field-props';
import { FieldRow } from './field-row';
import { regionFilling } from './fill';
import { fieldId, useForm } from './form-context';
import styles from './form.module.css';
import { together } from './places';
import { entriesIn, plansInRegion } from './plans';

const providerOf = ({ provider }: JsonObject) => (typeof provider === 'string' ? provider : 'aws');

/** A provider's region: choosing it takes the prices that the catalogue holds for it. */
export function RegionField(field: FieldProps) {
  const form = useForm();
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState<string | null>(null);
  const [understood, setUnderstood] = useState('');
  const held = typeof field.value === 'string' ? field.value : '';
  const fallback = field.schema.default;
  const choose = async (region: string) => {
    setTyped(null);
    if (region.trim() === '') {
      form.change(field.pointer, undefined);
      return;
    }
    const document = form.held();
    const wanted = { provider: providerOf(document), region, entries: entriesIn(document) };
    let found: RegionPrices | null = null;
    try {
      found = await client.fetchQuery(regionPricesQueryOptions(wanted));
    } catch {
      // Without the catalogue the region stands as typed; its fields say what prices they hold.
    }
    const { values, origins } = together(
      regionFilling(form.held(), found),
      plansInRegion(form.held(), found),
    );
    setUnderstood(found?.title ? `= ${found.title} (${found.region})` : '');
    form.fill([[field.pointer, found?.region ?? region.trim()], ...values], origins);
  };
  return (
    <FieldRow
      field={field}
      below={
        understood && (
          <p id={`${fieldId(form, field.pointer)}.echo`} role="status" className={styles.echo}>
            {understood}
          </p>
        )
      }
    >
      {(control) => (
        <span className="row gap-4 shrink">
          <TextInput
            {...control}
            autoComplete="off"
            value={typed ?? held}
            placeholder={typeof fallback === 'string' ? fallback : '—'}
            onChange={(event) => {
              setTyped(event.target.value);
              setUnderstood('');
            }}
            onBlur={() => typed !== null && typed.trim() !== held && void choose(typed)}
            onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
          />
          <IconButton
            small
            icon="book"
            label="Choose a region of the catalogue"
            onClick={() => setOpen(true)}
          />
          {open && (
            <Dialog title="Choose a region" width={680} onClose={() => setOpen(false)}>
              <CatalogueList
                kind="region"
                provider={providerOf(form.held())}
                search="City, country or code"
                lines={(entries) =>
                  entries.map((entry) => ({
                    key: entry.slug,
                    title: entry.title,
                    note: String(entry.values.region?.value ?? ''),
                    onTake: () => {
                      setOpen(false);
                      void choose(String(entry.values.region?.value ?? ''));
                    },
                  }))
                }
              />
            </Dialog>
          )}
        </span>
      )}
    </FieldRow>
  );
}
