import { useState, type FormEvent } from 'react';
import type { components } from '../../../api-types/schema';
import { Button } from '../../../components/button';
import { Select, TextInput } from '../../../components/control';
import { DESIGN_OPTIONS } from '../../../lib/design-options';
import type { Currency } from '../../../lib/format';
import { parseNumber } from '../../../lib/typed-number';
import styles from './explore.module.css';

export type SearchLimits = components['schemas']['LimitsRequest'];
export const NO_LIMITS: SearchLimits = { arm: 'any' };

const ANY = { value: '', label: 'Any' };
const PROVIDERS = [
  ANY,
  ...DESIGN_OPTIONS.filter((one) => one.rented).map((one) => ({
    value: one.option as string,
    label: one.title,
  })),
];
const VENDORS = [ANY, ...['AMD', 'Intel', 'Ampere'].map((value) => ({ value, label: value }))];
const ARM = [
  { value: 'any', label: 'ARM or x86' },
  { value: 'only', label: 'ARM only' },
  { value: 'none', label: 'No ARM' },
];
const AMOUNTS = [
  { name: 'cost_usd', label: 'Budget' },
  { name: 'kw', label: 'Power, kW' },
  { name: 'rack_units_count', label: 'Height, U' },
] as const;

interface SearchLimitsProps {
  currency: Currency;
  onChange: (limits: SearchLimits) => void;
}

/** What designs may cost and need at most, and whom they may be of. */
export function SearchLimitsForm({ currency, onChange }: SearchLimitsProps) {
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [fault, setFault] = useState('');
  const type = (name: string) => (event: { target: { value: string } }) =>
    setTyped((now) => ({ ...now, [name]: event.target.value }));
  const search = (event: FormEvent) => {
    event.preventDefault();
    const amounts = AMOUNTS.map(({ name, label }) => {
      const text = typed[name]?.trim();
      return { name, label, value: text ? (parseNumber(text) ?? NaN) : null };
    });
    const wrong = amounts.find(({ value }) => value !== null && !(value >= 0));
    setFault(wrong ? `${wrong.label}: enter a number of at least 0.` : '');
    if (wrong) return;
    const one = (name: string) => (typed[name] ? [typed[name]] : []);
    const held = Object.fromEntries(amounts.map(({ name, value }) => [name, value]));
    const budget = held['cost_usd'] ?? null;
    onChange({
      ...held,
      cost_usd: budget === null ? null : budget / currency.per_usd,
      regions: (typed['regions'] ?? '')
        .split(';')
        .map((region) => region.trim())
        .filter(Boolean),
      providers: one('providers') as SearchLimits['providers'],
      vendors: one('vendors') as SearchLimits['vendors'],
      arm: (typed['arm'] ?? 'any') as SearchLimits['arm'],
    });
  };
  return (
    <details className="small">
      <summary>Limits of the search</summary>
      <form className={styles.limits} onSubmit={search} aria-label="Limits of the search">
        {AMOUNTS.map(({ name, label }) => (
          <label key={name}>
            {name === 'cost_usd' ? `${label}, ${currency.code}` : label}
            <TextInput value={typed[name] ?? ''} inputMode="decimal" onChange={type(name)} />
          </label>
        ))}
        <label>
          Regions
          <TextInput
            value={typed['regions'] ?? ''}
            maxLength={400}
            placeholder="Virginia; Frankfurt"
            onChange={type('regions')}
          />
        </label>
        <label>
          Provider
          <Select
            value={typed['providers'] ?? ''}
            choices={PROVIDERS}
            onChange={type('providers')}
          />
        </label>
        <label>
          Own processors
          <Select value={typed['vendors'] ?? ''} choices={VENDORS} onChange={type('vendors')} />
        </label>
        <label>
          Architecture
          <Select value={typed['arm'] ?? 'any'} choices={ARM} onChange={type('arm')} />
        </label>
        <Button type="submit">Search</Button>
        {fault && <p role="alert">{fault}</p>}
      </form>
    </details>
  );
}
