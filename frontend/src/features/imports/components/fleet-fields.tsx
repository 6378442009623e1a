import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { AmountField } from '../../../components/amount-field';
import { Select, TextInput } from '../../../components/control';
import { TracePicker } from '../../../components/trace-picker';
import { percent } from '../../../lib/format';
import type { TraceRef } from '../../../lib/traces';
import { typedText } from '../../../lib/units';
import { lengthOf } from '../../../lib/lengths';
import type { Draft, Options } from '../api/imports';

const PERCENTILES = [
  { value: '50', label: 'Median' },
  { value: '75', label: '75th' },
  { value: '90', label: '90th' },
  { value: '95', label: '95th' },
  { value: '99', label: '99th' },
  { value: '100', label: 'Peak' },
];

interface Props {
  options: Options;
  /** The fleet in instance types as it was answered last: what is left empty is told by it. */
  sized: Draft['in_types'] | undefined;
  onChange: (options: Options) => void;
}

interface PercentProps {
  label: string;
  given: number | undefined;
  held: number | undefined;
  low: number;
  high: number;
  onChange: (fraction?: number) => void;
}

function PercentField({ label, given, held, low, high, onChange }: PercentProps) {
  return (
    <AmountField
      label={label}
      value={given}
      unit="fraction"
      placeholder={held === undefined ? '' : typedText(Number(held.toPrecision(4)), 'fraction')}
      faultOf={(share) =>
        share >= low && share <= high ? null : `Enter ${percent(low)} to ${percent(high)}.`
      }
      onAmount={(share) => onChange(share ?? undefined)}
    />
  );
}

/** How a fleet's machines become instance types: by which use, with what room, priced where. */
export function FleetFields({ options, sized, onChange }: Props) {
  const [trace, setTrace] = useState<TraceRef | null>(null);
  const set = (given: Partial<Options>) => onChange({ ...options, ...given });
  return (
    <>
      <div>
        <label htmlFor="fleet-trace">Measured use: a trace of its machines</label>
        <TracePicker
          id="fleet-trace"
          kind="utilization"
          value={trace}
          onChange={(chosen) => {
            setTrace(chosen);
            set({ trace_id: chosen?.trace_id });
          }}
        />
        {trace && (
          <p className="muted small">
            It sizes each machine here. For the work of the study,{' '}
            <Link to="/traces/$traceId" params={{ traceId: trace.trace_id }} hash="work">
              make a workload of this trace
            </Link>{' '}
            and put it into the study.
          </p>
        )}
      </div>
      <label>
        Percentile of use that is sized for
        <Select
          choices={PERCENTILES}
          value={String(options.percentile ?? 95)}
          onChange={({ target }) => set({ percentile: Number(target.value) })}
        />
      </label>
      <label>
        Region of the prices, code or city (empty: the study&rsquo;s, else the fleet&rsquo;s)
        <TextInput
          value={options.region ?? ''}
          maxLength={lengthOf('ImportOptionsInput.region')}
          onChange={({ target }) => set({ region: target.value || undefined })}
        />
      </label>
      <PercentField
        label="vCPUs busy at most, %"
        given={options.cores_target_fraction ?? undefined}
        held={sized?.cores_target_fraction}
        low={0.01}
        high={1}
        onChange={(cores_target_fraction) => set({ cores_target_fraction })}
      />
      <PercentField
        label="RAM kept free on top of what is in use, %"
        given={options.ram_headroom_fraction ?? undefined}
        held={sized?.ram_headroom_fraction}
        low={0}
        high={10}
        onChange={(ram_headroom_fraction) => set({ ram_headroom_fraction })}
      />
    </>
  );
}
