import { quantity } from '../../../lib/format';
import { ADDRESSES, ARRIVALS } from '../presets';
import type { Addresses, Arrivals, ArraysState, Workload } from '../types';
import { atRate, gapRate } from '../workload';
import { ADDRESS_KINDS, ARRIVAL_KINDS, choicesOf } from '../words';
import { sizesText } from '../sizes';
import { RegionFields } from './region-fields';
import { SizeFields } from './size-fields';
import { TraceForm } from './trace-form';
import { NumberRow, Part, SelectRow, SwitchRow } from './fields';

function ArrivalFields({
  arrivals,
  onChange,
}: {
  arrivals: Arrivals;
  onChange: (arrivals: Arrivals) => void;
}) {
  const number = (label: string, unit: string, value: number, put: (next: number) => Arrivals) => (
    <NumberRow
      label={label}
      unit={unit}
      value={value}
      least={unit === 'ms' ? 0 : 1}
      whole={unit === 'users'}
      onChange={(next) => next !== null && onChange(put(next))}
    />
  );
  switch (arrivals.kind) {
    case 'exponential':
      return null;
    case 'pareto':
      return (
        <NumberRow
          label="Shape of the tail"
          hint="Above 1; the nearer to 1, the heavier."
          value={arrivals.exponent}
          least={1.01}
          most={5}
          onChange={(exponent) => exponent !== null && onChange({ ...arrivals, exponent })}
        />
      );
    case 'mmpp':
      return (
        <>
          {number('Gap when busy', 'ms', arrivals.busy_mean_ms, (busy_mean_ms) => ({
            ...arrivals,
            busy_mean_ms,
          }))}
          {number('Gap when quiet', 'ms', arrivals.quiet_mean_ms, (quiet_mean_ms) => ({
            ...arrivals,
            quiet_mean_ms,
          }))}
          {number('A busy time lasts', 'ms', arrivals.busy_stay_ms, (busy_stay_ms) => ({
            ...arrivals,
            busy_stay_ms,
          }))}
          {number('A quiet time lasts', 'ms', arrivals.quiet_stay_ms, (quiet_stay_ms) => ({
            ...arrivals,
            quiet_stay_ms,
          }))}
        </>
      );
    case 'closed':
      return (
        <>
          {number('Users at work', 'users', arrivals.users_count, (users_count) => ({
            ...arrivals,
            users_count,
          }))}
          {number('Think time', 'ms', arrivals.think_ms, (think_ms) => ({ ...arrivals, think_ms }))}
        </>
      );
  }
}

function AddressFields({
  addresses,
  onChange,
}: {
  addresses: Addresses;
  onChange: (addresses: Addresses) => void;
}) {
  if (addresses.kind === 'zipf') {
    return (
      <>
        <NumberRow
          label="Exponent"
          hint="0: equally popular; 1: the second half as often as the first."
          value={addresses.exponent}
          onChange={(exponent) => exponent !== null && onChange({ ...addresses, exponent })}
        />
        <NumberRow
          label="Blocks asked for"
          value={addresses.blocks_count}
          least={1}
          whole
          onChange={(blocks) => blocks !== null && onChange({ ...addresses, blocks_count: blocks })}
        />
        <SwitchRow
          label="Popular ones lie together"
          checked={addresses.sorted_by_popularity}
          onChange={(sorted_by_popularity) => onChange({ ...addresses, sorted_by_popularity })}
        />
      </>
    );
  }
  if (addresses.kind === 'sequential') {
    return (
      <NumberRow
        label="Follow the last one"
        unit="%"
        value={addresses.continue_fraction}
        scale={0.01}
        most={100}
        onChange={(share) => share !== null && onChange({ ...addresses, continue_fraction: share })}
      />
    );
  }
  if (addresses.kind === 'regions')
    return <RegionFields addresses={addresses} onChange={onChange} />;
  return null;
}

function summaryOf(workload: Workload, rate: number | null): string {
  return [
    rate === null ? 'closed loop' : quantity(rate, '1/s'),
    workload.read_fraction < 1 ? `${Math.round(workload.read_fraction * 100)}% reads` : 'reads',
    sizesText(workload),
  ].join(', ');
}

interface DrawnProps {
  workload: Workload;
  /** As the model has it; none in a closed loop. */
  rate: number | null;
  onChange: (workload: Workload) => void;
}

function DrawnFields({ workload, rate: known, onChange }: DrawnProps) {
  const { arrivals, addresses } = workload;
  const rate = gapRate(arrivals) ?? (arrivals.kind === 'closed' ? null : known);
  const chooseArrivals = (kind: Arrivals['kind']) => {
    const next = rate === null ? ARRIVALS[kind] : atRate(ARRIVALS[kind], rate, null);
    onChange({ ...workload, arrivals: next });
  };
  return (
    <>
      <SelectRow
        label="Arrivals"
        value={arrivals.kind}
        choices={choicesOf(ARRIVAL_KINDS)}
        onChange={chooseArrivals}
      />
      {rate !== null && (
        <NumberRow
          label="Rate"
          unit="per s"
          value={rate}
          least={0.001}
          onChange={(next) =>
            next !== null && onChange({ ...workload, arrivals: atRate(arrivals, next, rate) })
          }
        />
      )}
      <ArrivalFields
        key={arrivals.kind}
        arrivals={arrivals}
        onChange={(next) => onChange({ ...workload, arrivals: next })}
      />
      <SelectRow
        label="Places"
        value={addresses.kind}
        choices={choicesOf(ADDRESS_KINDS)}
        onChange={(kind) => onChange({ ...workload, addresses: ADDRESSES[kind] })}
      />
      <AddressFields
        key={`places ${addresses.kind}`}
        addresses={addresses}
        onChange={(next) => onChange({ ...workload, addresses: next })}
      />
      <NumberRow
        label="Reads"
        unit="%"
        value={workload.read_fraction}
        scale={0.01}
        most={100}
        onChange={(share) => share !== null && onChange({ ...workload, read_fraction: share })}
      />
      <SizeFields workload={workload} onChange={onChange} />
    </>
  );
}

interface WorkloadFormProps {
  state: ArraysState;
  /** Mean rate of the requests; none in a closed loop. */
  rate: number | null;
  onChange: (change: Partial<ArraysState>) => void;
}

/** The requests that every array on the page has to serve: drawn by chance, or recorded. */
export function WorkloadForm({ state, rate, onChange }: WorkloadFormProps) {
  const { workload, recorded } = state;
  const summary = recorded ? recorded.title : summaryOf(workload, rate);
  return (
    <Part title="Workload, for all" summary={summary}>
      <TraceForm recorded={recorded} onChange={(next) => onChange({ recorded: next })} />
      {!recorded && (
        <DrawnFields
          workload={workload}
          rate={rate}
          onChange={(next) => onChange({ workload: next })}
        />
      )}
    </Part>
  );
}
