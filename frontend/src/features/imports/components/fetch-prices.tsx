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
  { value: 'ecb', label: 'ECB exchange rates' },
] as const;

type Provider = (typeof PROVIDERS)[number]['value'];

/** Has the server fetch a price list or exchange rates; needs a way out to the internet. */
export function FetchPrices({ onOpen }: { onOpen: (id: string) => void }) {
  const [provider, setProvider] = useState<Provider>('aws');
  const [region, setRegion] = useState('');
  const hasRegion = provider !== 'ecb';
  const fetching = useFetchPrices();
  const start = () =>
    fetching.mutate(
      { provider, region: hasRegion ? region.trim() : '' },
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
      {hasRegion && (
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
        <Button type="submit" disabled={(hasRegion && !region.trim()) || fetching.isPending}>
          {hasRegion ? 'Fetch prices' : 'Fetch rates'}
        </Button>
        <Fault of={fetching} />
      </div>
    </form>
  );
}
