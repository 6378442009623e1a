import type { JsonObject } from '../../lib/pointer';
import type { ArrayDesign, ArraysState } from './types';

/** What the simulator is asked about one array. */
export function runParams(array: ArrayDesign, state: ArraysState): JsonObject {
  const { workload, recorded, replicates_count, stop_interval_fraction } = state;
  const asked = recorded
    ? { trace: recorded.trace, replay: recorded.replay }
    : { workload, replicates_count };
  return { array, stop_interval_fraction, ...asked } as unknown as JsonObject;
}
