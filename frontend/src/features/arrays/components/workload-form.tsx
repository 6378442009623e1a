import type { ReactNode } from 'react';
import { DocumentForm } from '../../../components/form/document-form';
import { quantity } from '../../../lib/format';
import type { JsonObject } from '../../../lib/pointer';
import { variantOf, type JsonSchema } from '../../../lib/schema';
import { ADDRESSES, ARRIVALS } from '../presets';
import type { Addresses, Arrivals, ArraysState, Workload } from '../types';
import { atRate, gapRate } from '../workload';
import { NONE, useDraft, useFrame } from '../use-draft';
import { sizesText } from '../sizes';
import { RegionFields } from './region-fields';
import { SizeFields } from './size-fields';
import { TraceForm } from './trace-form';
import { SimulatorSchema } from './simulator-schema';
import { NumberRow, Part, SelectRow } from './fields';

const BY_RATE = ['kind', 'mean_ms'];
const BY_SHARES = ['kind', 'regions'];

interface KindProps<T> {
  name: 'arrivals' | 'addresses';
  label: string;
  root: JsonSchema;
  value: T;
  omit: readonly string[];
  onChoose: (kind: string) => void;
  onChange: (value: T) => void;
  /** Stands above the fields of the kind. */
  children?: ReactNode;
}

/** A choice between kinds, and the fields of the one chosen that its schema has. */
function KindFields<T extends Arrivals | Addresses>(props: KindProps<T>) {
  const { name, label, root, value, omit, onChoose, onChange, children } = props;
  const kinds = root.$defs?.SyntheticWorkload?.properties?.[name] ?? {};
  const { all, current } = variantOf(kinds, root, value as unknown as JsonObject);
  const schema = current?.schema ?? {};
  const { form } = useDraft({ schema, root, value, faults: NONE, onChange });
  const frame = useFrame('workload', NONE);
  return (
    <>
      <SelectRow
        label={label}
        value={value.kind as string}
        choices={all.map(({ tag, title }) => ({ value: tag, label: title }))}
        onChange={onChoose}
      />
      {children}
      <DocumentForm
        key={value.kind}
        {...form}
        formId={`workload.${name}`}
        schema={schema}
        provenance={{}}
        frame={frame}
        omit={omit}
      />
    </>
  );
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
  root: JsonSchema;
  /** As the model has it; none in a closed loop. */
  rate: number | null;
  onChange: (workload: Workload) => void;
}

function DrawnFields({ workload, root, rate: known, onChange }: DrawnProps) {
  const { arrivals, addresses } = workload;
  const rate = gapRate(arrivals) ?? (arrivals.kind === 'closed' ? null : known);
  const putArrivals = (next: Arrivals) => onChange({ ...workload, arrivals: next });
  const putAddresses = (next: Addresses) => onChange({ ...workload, addresses: next });
  const chooseArrivals = (kind: string) => {
    const next = ARRIVALS[kind as Arrivals['kind']];
    putArrivals(rate === null ? next : atRate(next, rate, null));
  };
  return (
    <>
      <KindFields
        name="arrivals"
        label="Arrivals"
        root={root}
        value={arrivals}
        omit={BY_RATE}
        onChoose={chooseArrivals}
        onChange={putArrivals}
      >
        {rate !== null && (
          <NumberRow
            label="Rate"
            unit="per s"
            value={rate}
            least={0.001}
            onChange={(next) => next !== null && putArrivals(atRate(arrivals, next, rate))}
          />
        )}
      </KindFields>
      <KindFields
        name="addresses"
        label="Places"
        root={root}
        value={addresses}
        omit={BY_SHARES}
        onChoose={(kind) => putAddresses(ADDRESSES[kind as Addresses['kind']])}
        onChange={putAddresses}
      >
        {addresses.kind === 'regions' && (
          <RegionFields addresses={addresses} onChange={putAddresses} />
        )}
      </KindFields>
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
        <SimulatorSchema>
          {(root) => (
            <DrawnFields
              workload={workload}
              root={root}
              rate={rate}
              onChange={(next) => onChange({ workload: next })}
            />
          )}
        </SimulatorSchema>
      )}
    </Part>
  );
}
