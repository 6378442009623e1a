import type { JsonSchema } from '../../../lib/schema';
import type { ArraysState } from '../types';
import { Part } from './fields';
import { SchemaForm } from './schema-form';

interface RunFormProps {
  state: ArraysState;
  onChange: (change: Partial<ArraysState>) => void;
}

const SEED: JsonSchema = { type: 'integer', title: 'Seed', minimum: 0, maximum: 2 ** 31 };

const part = ({ properties, $defs }: JsonSchema): JsonSchema => ({
  properties: {
    requests_count: { ...$defs?.SyntheticWorkload?.properties?.requests_count },
    stop_interval_fraction: { ...properties?.stop_interval_fraction },
    replicates_count: { ...properties?.replicates_count },
    seed: SEED,
  },
});

/** How long to look, how often, and when that is enough. */
export function RunForm({ state, onChange }: RunFormProps) {
  const { workload, stop_interval_fraction, replicates_count, seed } = state;
  const { requests_count } = workload;
  return (
    <Part
      title="Simulation"
      summary={`${requests_count.toLocaleString('en-GB')} requests`}
      open={false}
    >
      <SchemaForm
        name="run"
        part={part}
        value={{ requests_count, stop_interval_fraction, replicates_count, seed }}
        onChange={({ requests_count: count, ...run }) =>
          onChange({ ...run, workload: { ...workload, requests_count: count } })
        }
      />
    </Part>
  );
}
