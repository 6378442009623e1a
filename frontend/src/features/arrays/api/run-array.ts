import { queryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { JsonObject } from '../../../lib/pointer';
import type { Run } from '../../../lib/types';
import type { ArrayResult } from '../result';
import type { ArrayDesign, ArraysState } from '../types';

export const SIMULATOR = 'storage.array';

/** What the simulator is asked about one array. */
export function runParams(array: ArrayDesign, state: ArraysState): JsonObject {
  const { workload, recorded, replicates_count, stop_interval_fraction } = state;
  const asked = recorded
    ? { trace: recorded.trace, replay: recorded.replay }
    : { workload, replicates_count, stop_interval_fraction };
  return { array, ...asked } as unknown as JsonObject;
}

export const startRun = (array: ArrayDesign, state: ArraysState, more: JsonObject) =>
  body<Run>(
    api.POST('/api/v1/runs', {
      body: {
        model: SIMULATOR,
        params: { ...runParams(array, state), ...more },
        seed: state.seed,
      },
    }),
  );

export const resultQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'result', id],
    queryFn: async () =>
      (
        await body<{ result: ArrayResult }>(
          api.GET('/api/v1/runs/{run_id}/result', { params: { path: { run_id: id } } }),
        )
      ).result,
    staleTime: Number.POSITIVE_INFINITY,
  });
