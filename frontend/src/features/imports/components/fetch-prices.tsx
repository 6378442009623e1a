import { useState } from 'react';
import { Button } from '../../../components/button';
import { Select, TextInput } from '../../../components/control';
import { Fault } from '../../../components/fault';
import { useFetchPrices } from '../api/imports';
import styles from './imports.module.css';

const PROVIDERS = [
  { value: 'aws', label: 'AWS' },
  { value: 'aws_savings', label: 'AWS savings plans' },
  { value: 'azure', label: 'Azure' },
  { value: 'gcp', label: 'Google Cloud (every region)' },
  { value: 'ecb', label: 'ECB exchange rates' },
] as const;

const REGIONS = [
  { value: 'one', label: 'one region' },
  { value: 'every', label: 'every region, a list of each' },
] as const;
/** What is published region by region. */
const BY_REGION: readonly string[] = ['aws', 'aws_savings', 'azure'];

type Provider = (typeof PROVIDERS)[number]['value'];

/** Has the server fetch a price list or exchange rates; needs a way out to the internet. */
export function FetchPrices({ onOpen }: { onOpen: (id: string) => void }) {
  const [provider, setProvider] = useState<Provider>('aws');
  const [region, setRegion] = useState('');
  const [regions, setRegions] = useState<'one' | 'every'>('one');
  const isByRegion = BY_REGION.includes(provider);
  const asksRegion = isByRegion && regions === 'one';
  const fetching = useFetchPrices();
  const start = () =>
    fetching.mutate(
      { provider, region: asksRegion ? region.trim() : isByRegion ? 'all' : '' },
      { onSuccess: (made) => made && onOpen(made.id) },
    );
  return (
    <form
      className={`${styles.fields} fill ${styles.above}`}
      aria-label="Price list of a provider"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <label>
        Prices and rates of
        <Select
          choices={PROVIDERS}
          value={provider}
          onChange={({ target }) => setProvider(target.value as Provider)}
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
            maxLength={30}
            placeholder="eu-west-1"
            onChange={({ target }) => setRegion(target.value)}
          />
        </label>
      )}
      <div className={styles.fetch}>
        <Button type="submit" disabled={(asksRegion && !region.trim()) || fetching.isPending}>
          {provider === 'ecb' ? 'Fetch rates' : 'Fetch prices'}
        </Button>
        <Fault of={fetching} />
      </div>
    </form>
  );
}
