import { useInfiniteQuery } from '@tanstack/react-query';
import { Select, TextInput } from '../../../components/control';
import { entriesQueryOptions } from '../../../lib/catalogue';
import { DESIGN_OPTIONS } from '../../../lib/design-options';
import { TERMS, type Chosen, type Standing } from '../work';
import styles from './new-study.module.css';

interface OptionsProps {
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
}

/** Providers with their plans, own servers, or both. */
export function Options({ chosen, onChange }: OptionsProps) {
  const toggle = (option: string, rented: boolean) => {
    const { [option]: held, ...rest } = chosen;
    onChange(held === undefined ? { ...chosen, [option]: rented ? 36 : 0 } : rest);
  };
  return (
    <div className={styles.cards}>
      {DESIGN_OPTIONS.map(({ option, title, about, rented }) => (
        <div key={option} className={styles.card}>
          <label>
            <input
              type="checkbox"
              checked={chosen[option] !== undefined}
              onChange={() => toggle(option, rented)}
            />
            {title}
          </label>
          <span className="muted small">{about}</span>
          {rented && chosen[option] !== undefined && (
            <Select
              aria-label={`Plan of ${title}`}
              choices={TERMS}
              value={String(chosen[option])}
              onChange={(event) => onChange({ ...chosen, [option]: Number(event.target.value) })}
            />
          )}
        </div>
      ))}
    </div>
  );
}

/** The currencies that the catalogue has a rate of. */
function Currency({ value, onChange }: { value: string; onChange: (code: string) => void }) {
  const entries = useInfiniteQuery(entriesQueryOptions({ kind: 'currency' }));
  const codes = (entries.data?.pages ?? [])
    .flatMap((page) => page.results)
    .map(({ values }) => String(values.code?.value));
  const choices = ['USD', ...codes].map((code) => ({ value: code, label: code }));
  return (
    <label>
      Currency
      <Select
        aria-label="Currency"
        choices={choices}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

/** Where the study stands, for all of its options. */
export function Place({
  place,
  onChange,
}: {
  place: Standing;
  onChange: (place: Standing) => void;
}) {
  return (
    <div className={styles.place}>
      <label>
        Region or city
        <TextInput
          value={place.region}
          maxLength={80}
          placeholder="Northern Virginia"
          onChange={(event) => onChange({ ...place, region: event.target.value })}
        />
      </label>
      <Currency value={place.currency} onChange={(currency) => onChange({ ...place, currency })} />
    </div>
  );
}
