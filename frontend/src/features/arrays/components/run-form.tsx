import type { ArraysState } from '../types';
import { NumberRow, Part } from './fields';

interface RunFormProps {
  state: ArraysState;
  onChange: (change: Partial<ArraysState>) => void;
}

/** How long to look, how often, and when that is enough. */
export function RunForm({ state, onChange }: RunFormProps) {
  const { workload } = state;
  const count = workload.requests_count;
  return (
    <Part title="Simulation" summary={`${count.toLocaleString('en-GB')} requests`} open={false}>
      <NumberRow
        label="Requests"
        value={count}
        least={1000}
        most={20_000_000}
        whole
        onChange={(next) =>
          next !== null && onChange({ workload: { ...workload, requests_count: next } })
        }
      />
      <NumberRow
        label="Stop at a mean known to"
        unit="± %"
        hint="Ends early, when half of the mean's 95% interval is this share of it. Empty: runs to the end."
        value={state.stop_interval_fraction || null}
        scale={0.01}
        least={0.1}
        most={99}
        empty="never"
        onChange={(share) => onChange({ stop_interval_fraction: share ?? 0 })}
      />
      <NumberRow
        label="Independent runs"
        value={state.replicates_count}
        least={1}
        most={64}
        whole
        onChange={(next) => next !== null && onChange({ replicates_count: next })}
      />
      <NumberRow
        label="Seed"
        value={state.seed}
        whole
        most={2 ** 31}
        onChange={(next) => next !== null && onChange({ seed: next })}
      />
    </Part>
  );
}
