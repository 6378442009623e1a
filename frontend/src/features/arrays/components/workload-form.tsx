import { useMemo } from 'react';
import type { JsonSchema } from '../../../lib/schema';
import type { ArraysState, Workload } from '../types';
import { faultsBelow } from '../../../lib/problem';
import type { Known } from '../use-outlooks';
import { atRate } from '../workload';
import { Part } from './fields';
import { SchemaForm } from './schema-form';
import { TraceForm } from './trace-form';

const OPEN = ['/arrivals', '/addresses', '/addresses/regions', '/sizes', '/write_sizes'];
const ENTERED_BELOW = ['requests_count'];

const drawn = ({ $defs }: JsonSchema) => $defs?.SyntheticWorkload;

/** Two rates are scaled as one. */
const bothRates = (): JsonSchema => ({
  properties: { rate_per_s: { type: 'number', title: 'Rate', unit: '1/s', exclusiveMinimum: 0 } },
});

interface WorkloadFormProps {
  state: ArraysState;
  known: Known;
  onChange: (change: Partial<ArraysState>) => void;
}

/** The requests that every array on the page has to serve: drawn by chance, or recorded. */
export function WorkloadForm({ state, known, onChange }: WorkloadFormProps) {
  const { workload, recorded } = state;
  const { outlook } = known;
  const faults = useMemo(() => faultsBelow(known.faults, '/workload'), [known.faults]);
  /** The mean rate; none in a closed loop. */
  const rate = outlook?.arrival_rate_per_s ?? null;
  const put = (next: Workload) => onChange({ workload: next });
  const atSameRate = (before: Workload, next: Workload) =>
    rate === null || before.arrivals.kind === next.arrivals.kind
      ? next
      : { ...next, arrivals: atRate(next.arrivals, rate, null) };
  return (
    <Part title="Workload, for all" summary={recorded?.title ?? outlook?.requests}>
      <TraceForm recorded={recorded} onChange={(next) => onChange({ recorded: next })} />
      {!recorded && workload.arrivals.kind === 'mmpp' && rate !== null && (
        <SchemaForm
          name="rate"
          part={bothRates}
          value={{ rate_per_s: rate }}
          onChange={(next) =>
            put({ ...workload, arrivals: atRate(workload.arrivals, next.rate_per_s, rate) })
          }
        />
      )}
      {!recorded && (
        <SchemaForm
          name="workload"
          part={drawn}
          value={workload}
          open={OPEN}
          faults={faults}
          omit={ENTERED_BELOW}
          fit={atSameRate}
          onChange={put}
        />
      )}
    </Part>
  );
}
