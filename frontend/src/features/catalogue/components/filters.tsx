import { useQuery } from '@tanstack/react-query';
import { AmountInput } from '../../../components/amount-field';
import { Select } from '../../../components/control';
import { providerName } from '../../../lib/providers';
import { facetsQueryOptions } from '../api/own-entries';
import type { Narrowing } from '../filter';
import styles from './catalogue.module.css';

const FIGURES = [
  { name: 'cores_count_least', label: 'Cores or vCPU, at least', unit: '' },
  { name: 'ram_gib_least', label: 'RAM, at least GiB', unit: 'GiB' },
  { name: 'price_usd_most', label: 'Price, at most USD', unit: 'USD' },
] as const;
const WHOSE = [
  { value: '', label: 'All entries' },
  { value: 'true', label: 'Own entries' },
  { value: 'false', label: 'Built in' },
];

interface FiltersProps {
  kind: string;
  narrowing: Narrowing;
  onChange: (narrowing: Narrowing) => void;
}

/** Narrows the list by who makes or rents it, by region, by its figures. */
export function Filters({ kind, narrowing, onChange }: FiltersProps) {
  const facets = useQuery(facetsQueryOptions(kind)).data;
  const facet = (name: 'provider' | 'region', all: string) => {
    const found = Object.entries(facets?.[name] ?? {});
    if (found.length < 2) return null;
    return (
      <Select
        aria-label={name === 'provider' ? 'Provider or vendor' : 'Region'}
        choices={[
          { value: '', label: all },
          ...found.map(([text, count]) => ({
            value: text,
            label: `${providerName(text)} (${count})`,
          })),
        ]}
        value={narrowing[name] ?? ''}
        onChange={({ target }) => onChange({ ...narrowing, [name]: target.value || undefined })}
      />
    );
  };
  return (
    <div className={`${styles.filters} line gap-8`} role="group" aria-label="Filters">
      {facet('provider', 'Any provider or vendor')}
      {facet('region', 'Any region')}
      <Select
        aria-label="Whose entries"
        choices={WHOSE}
        value={narrowing.own === undefined ? '' : String(narrowing.own)}
        onChange={({ target: { value } }) =>
          onChange({ ...narrowing, own: value === '' ? undefined : value === 'true' })
        }
      />
      {FIGURES.map(({ name, label, unit }) => (
        <span key={`${kind} ${name}`}>
          <AmountInput
            className=""
            aria-label={label}
            placeholder={label}
            value={narrowing[name]}
            unit={unit}
            context={{ name: label }}
            onAmount={(value) => onChange({ ...narrowing, [name]: value ?? undefined })}
          />
        </span>
      ))}
    </div>
  );
}
