import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Select, TextInput } from '../../../components/control';
import { Fault } from '../../../components/fault';
import { formatsQueryOptions, useFetchPrices, type PriceListId } from '../api/imports';
import styles from './imports.module.css';
import { lengthOf } from '../../../lib/lengths';

const REGIONS = [
  { value: 'one', label: 'one region' },
  { value: 'every', label: 'every region, a list of each' },
] as const;
/** Has the server fetch a price list or exchange rates; needs a way out to the internet. */
export function FetchPrices({ onOpen }: { onOpen: (id: string) => void }) {
  const formats = useQuery(formatsQueryOptions);
  const lists = formats.data?.price_lists ?? [];
  const [chosen, setChosen] = useState<PriceListId>();
  const list = lists.find((one) => one.provider === chosen) ?? lists[0];
  const [region, setRegion] = useState('');
  const [regions, setRegions] = useState<'one' | 'every'>('one');
  const isByRegion = list?.by_region ?? false;
  const asksRegion = isByRegion && regions === 'one';
  const fetching = useFetchPrices();
  const start = () =>
    list &&
    fetching.mutate(
      { provider: list.provider, region: asksRegion ? region.trim() : isByRegion ? 'all' : '' },
      { onSuccess: (made) => made && onOpen(made.id) },
    );
  return (
    <form
      className={`${styles.fields} fill ${styles.below}`}
      aria-label="Price list of a provider"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <label>
        Prices and rates of
        <Select
          choices={lists.map(({ provider, title }) => ({ value: provider, label: title }))}
          value={list?.provider ?? ''}
          onChange={({ target }) => setChosen(target.value as PriceListId)}
        />
      </label>
      {isByRegion && (
        <label>
          Regions
          <Select
            choices={REGIONS}
            value={regions}
            onChange={({ target }) => setRegions(target.value as 'one' | 'every')}
          />
        </label>
      )}
      {asksRegion && (
        <label>
          Region
          <TextInput
            value={region}
            maxLength={lengthOf('PriceListInput.region')}
            placeholder="eu-west-1"
            onChange={({ target }) => setRegion(target.value)}
          />
        </label>
      )}
      <div className={styles.fetch}>
        <Button
          type="submit"
          disabled={!list || (asksRegion && !region.trim()) || fetching.isPending}
        >
          {list?.provider === 'ecb' ? 'Fetch rates' : 'Fetch prices'}
        </Button>
        <Fault of={fetching} />
      </div>
    </form>
  );
}
