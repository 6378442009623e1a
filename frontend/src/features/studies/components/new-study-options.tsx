import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { Select, TextInput } from '../../../components/control';
import { Spark } from '../../../components/form/series-field';
import { entriesQueryOptions, placesQueryOptions, type HeldPlace } from '../../../lib/catalogue';
import { DESIGN_OPTIONS } from '../../../lib/design-options';
import { USD, type Currency } from '../../../lib/format';
import { lengthOf } from '../../../lib/lengths';
import { isObject, type JsonObject } from '../../../lib/pointer';
import { schemaAt, type JsonSchema } from '../../../lib/schema';
import { TERMS, type Chosen, type ModelWork, type Standing } from '../work';
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

/** The currencies that the catalogue has a rate of, the US dollar first. */
export function useCurrencies(): Currency[] {
  const entries = useInfiniteQuery(entriesQueryOptions({ kind: 'currency' }));
  const held = (entries.data?.pages ?? [])
    .flatMap((page) => page.results)
    .map(({ values }) => ({
      code: String(values.code?.value),
      per_usd: Number(values.per_usd?.value),
      as_of: values.per_usd?.as_of,
    }));
  return [USD, ...held];
}

const titleOf = ({ city, country }: HeldPlace) =>
  city === country ? country : `${city}, ${country}`;

interface PlaceProps {
  place: Standing;
  currencies: readonly Currency[];
  /** Why the region is none. */
  fault?: string;
  /** The place that the region names, as it was understood; none while it is asked. */
  understood: HeldPlace | null;
  onChange: (place: Standing) => void;
}

/** Where the study stands, for all of its options, and what it is paid in. */
export function Place({ place, currencies, fault, understood, onChange }: PlaceProps) {
  const id = useId();
  const places = useQuery(placesQueryOptions).data ?? [];
  return (
    <div className={styles.place}>
      <label>
        Region: city, country or code
        <TextInput
          value={place.region}
          list={`${id}-places`}
          maxLength={lengthOf('ProposalOption.region')}
          placeholder="Northern Virginia"
          aria-invalid={fault ? true : undefined}
          aria-describedby={`${id}-fault`}
          onChange={(event) => onChange({ ...place, region: event.target.value })}
        />
      </label>
      <datalist id={`${id}-places`}>
        {places.map(({ city, country, regions }) => (
          <option key={`${city} ${country}`} value={`${city}, ${country}`}>
            {regions.join(', ')}
          </option>
        ))}
      </datalist>
      <label>
        Currency
        <Select
          aria-label="Currency"
          choices={currencies.map(({ code }) => ({ value: code, label: code }))}
          value={place.currency}
          onChange={(event) => onChange({ ...place, currency: event.target.value, isChosen: true })}
        />
      </label>
      <span
        id={`${id}-fault`}
        className={fault ? 'fault small' : 'muted small'}
        role={fault ? 'alert' : 'status'}
      >
        {fault ?? (understood ? `= ${titleOf(understood)}` : '')}
      </span>
    </div>
  );
}

/** The kind of GPU that the work runs on: proposals have it, or say that they cannot. */
export function GpuKind({ value, onChange }: { value: string; onChange: (kind: string) => void }) {
  const entries = useInfiniteQuery(entriesQueryOptions({ kind: 'gpu' }));
  const kinds = (entries.data?.pages ?? []).flatMap((page) => page.results);
  return (
    <label className={styles.field}>
      Kind of GPU
      <Select
        aria-label="Kind of GPU"
        choices={[
          { value: '', label: 'any' },
          ...kinds.map(({ title }) => ({ value: title, label: title })),
        ]}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

interface HoursProps {
  workload: JsonObject;
  shape: string;
  /** The trace that the work was read from. */
  traced?: string;
  onChange: (shape: string, held: JsonObject) => void;
}

const FLAT = { kind: 'flat' };
const valuesOf = (held: unknown): number[] =>
  isObject(held) && Array.isArray(held.values_ratio) ? (held.values_ratio as number[]) : [];

/** How the load moves over the hours: drawn, and chosen among those that the catalogue holds. */
export function Hours({ workload, shape, traced, onChange }: HoursProps) {
  const entries = useInfiniteQuery(entriesQueryOptions({ kind: 'shape' }));
  // A flat one is the first choice already.
  const held = (entries.data?.pages ?? [])
    .flatMap((page) => page.results)
    .filter(({ values }) => Number(values.peak_ratio?.value) !== 1);
  const chosen = held.find(({ slug }) => slug === shape);
  const values = valuesOf(workload.shape);
  const numbers = ['peak_ratio', 'p99_ratio'].map((name) => Number(chosen?.values[name]?.value));
  const [peak, p99] = numbers.map((one) => one.toLocaleString('en-GB'));
  const isTraced = traced !== undefined && shape === '' && values.length > 0;
  return (
    <div className={styles.hours}>
      <label>
        Load over the hours
        <Select
          aria-label="Load over the hours"
          value={isTraced ? TRACED : shape}
          choices={[
            { value: '', label: 'the same at all hours' },
            ...(isTraced ? [{ value: TRACED, label: `as in ${traced}` }] : []),
            ...held.map(({ slug, title }) => ({ value: slug, label: title })),
          ]}
          onChange={({ target }) => {
            const values_ratio = held.find(({ slug }) => slug === target.value)?.values.values_ratio
              ?.value as number[] | undefined;
            onChange(target.value, values_ratio ? { kind: 'hourly', values_ratio } : FLAT);
          }}
        />
      </label>
      {values.length > 1 && (
        <figure>
          <Spark values={values} />
          <figcaption className="small muted">
            {values.length === 168 ? 'A week' : `${values.length} hours`}
            {chosen && `: busiest hour ${peak} times the mean, 99th percentile ${p99} times`}
          </figcaption>
        </figure>
      )}
      <p className="small muted">
        Your own: <Link to="/traces">load a trace</Link>, and begin a study from it.
      </p>
    </div>
  );
}

const TRACED = 'traced';

interface ModelOfProps {
  plan: JsonSchema;
  /** The stream of inference or the training job whose model it is. */
  of: ModelWork;
  onChange: (model: string) => void;
}

/** The language model that a stream of inference asks, or that is trained. */
export function ModelOf({ plan, of: { list, one }, onChange }: ModelOfProps) {
  const id = useId();
  const document = { workload: { kind: 'demand', [list]: [one] } };
  const known = schemaAt(plan, plan, document, `/workload/${list}/0/model`)?.enum ?? [];
  return (
    <label className={styles.field} htmlFor={id}>
      {`Model, ${String(one.name)}`}
      <Select
        id={id}
        value={String(one.model)}
        choices={known.map((name) => ({ value: String(name), label: String(name) }))}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
