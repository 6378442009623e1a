import { useQuery } from '@tanstack/react-query';
import { AmountField } from '../../../components/amount-field';
import { Select } from '../../../components/control';
import {
  formatsQueryOptions,
  serversQueryOptions,
  type ImportFormats,
  type Options,
} from '../api/imports';
import styles from './imports.module.css';

type Proposed = NonNullable<Options['designs']>[number];

type Provider = ImportFormats['providers'][number];

interface Choice {
  label: string;
  option: Proposed;
}

const OF_BILLS: Choice[] = [
  { label: 'The same, on demand', option: { option: 'same', term_months: 0 } },
  { label: 'The same, 1-year plan at its optimum', option: { option: 'same', term_months: 12 } },
  { label: 'The same, 3-year plan at its optimum', option: { option: 'same', term_months: 36 } },
];
const OF_INVENTORIES: Choice[] = [
  { label: 'The fleet as it stands', option: { option: 'fleet', term_months: 36 } },
  {
    label: 'As few of its machines as the work needs',
    option: { option: 'fewer', term_months: 36 },
  },
  {
    label: 'Instance types by size as provisioned, 3-year plan',
    option: { option: 'by_size', term_months: 36 },
  },
  {
    label: 'Instance types by measured use, 3-year plan',
    option: { option: 'by_use', term_months: 36 },
  },
];
const OF_ALL: Choice[] = [
  { label: 'Own servers in colocation', option: { option: 'owned', term_months: 36 } },
  { label: 'Own base, rented peaks', option: { option: 'hybrid', term_months: 36 } },
];

const sameOption = (one: Proposed, other: Proposed) =>
  one.option === other.option && one.term_months === other.term_months;

const choicesOf = (makes: string, providers: Provider[]) => {
  if (makes === 'bill') return [...OF_BILLS, ...OF_ALL];
  const rented = providers.map(({ provider, title }): Choice => ({
    label: `${title}, 3-year plan`,
    option: { option: provider, term_months: 36 },
  }));
  return [...(makes === 'fleet' ? OF_INVENTORIES : []), ...rented, ...OF_ALL];
};

interface Props {
  makes: string;
  options: Options;
  onChange: (options: Options) => void;
}

function ServerField({ options, onChange }: Omit<Props, 'makes'>) {
  const servers = useQuery(serversQueryOptions);
  const own = servers.data?.results ?? [];
  if (own.length === 0) return null;
  const choices = [
    { value: '', label: 'the cheapest server of the catalogue' },
    ...own.map(({ slug, title }) => ({ value: slug, label: title })),
  ];
  return (
    <label>
      Own servers are
      <Select
        choices={choices}
        value={options.server ?? ''}
        onChange={({ target }) => onChange({ ...options, server: target.value || undefined })}
      />
    </label>
  );
}

/** Which designs are proposed for the work of the file, in the order in which they are compared. */
export function DesignsChoice({ makes, options, onChange }: Props) {
  const formats = useQuery(formatsQueryOptions);
  const choices = choicesOf(makes, formats.data?.providers ?? []);
  const held = options.designs ?? [];
  const chosen = (one: Choice) => held.some((other) => sameOption(other, one.option));
  const toggle = (one: Choice) => {
    const next = choices.filter((other) => (other === one ? !chosen(one) : chosen(other)));
    onChange({ ...options, designs: next.length ? next.map(({ option }) => option) : undefined });
  };
  return (
    <fieldset className={styles.designs}>
      <legend>Designs to propose</legend>
      <div className={styles.ticks}>
        {choices.map((one) => (
          <label key={one.label}>
            <input type="checkbox" checked={chosen(one)} onChange={() => toggle(one)} />
            {one.label}
          </label>
        ))}
      </div>
      {held.length > 0 && (
        <div className={`${styles.fields} fill`}>
          {makes === 'bill' && (
            <AmountField
              label="Rented cores busy, % (empty: unknown)"
              value={options.busy_fraction}
              unit="fraction"
              faultOf={(value) =>
                value > 0 && value <= 1 ? null : 'Enter more than 0, at most 100%.'
              }
              onAmount={(value) => onChange({ ...options, busy_fraction: value ?? undefined })}
            />
          )}
          {held.some(({ option }) => option === 'owned') && (
            <ServerField options={options} onChange={onChange} />
          )}
        </div>
      )}
    </fieldset>
  );
}
