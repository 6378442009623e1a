import { answerQueryOptions } from '../../../lib/answers';
import { PLAN } from '../../../lib/models';
import type { JsonObject } from '../../../lib/pointer';
import { carbonOf, noPlan, planArray, type Found } from '../plan-spec';
import type { Science } from '../../../lib/science';
import type { ArrayDesign, ArraysState } from '../types';

/** What the plan says of an array in closed form; what is null has a reason beside it. */
export type PlanFigures = Science['plans.compare.ArrayFigures'];

type Surroundings = Pick<ArraysState, 'workload' | 'recorded' | 'site'>;

function params(array: ArrayDesign, state: Surroundings, found: Found): JsonObject {
  const { usd_per_kwh } = state.site;
  return {
    designs: [
      {
        letter: 'A',
        title: 'Array',
        kind: 'disk_array',
        array: planArray(array, state, found),
      },
    ],
    workload: { kind: 'demand', busy_cores_count: 0, ram_gib: 0, block_tb: 0 },
    assumptions: {
      electricity: { kind: 'flat', usd_per_kwh },
      carbon: carbonOf(state.site),
    },
    draws_count: 0,
  };
}

/** Capacity, cost, carbon and the chance of loss of one array, as a study would have them. */
export const planQueryOptions = (array: ArrayDesign, state: Surroundings, found: Found) =>
  answerQueryOptions<Science['plans.compare.Result'], PlanFigures | null>(
    PLAN,
    noPlan(array) === null && found.outlook ? params(array, state, found) : null,
    ({ result }) => result.designs[0]?.array ?? null,
  );
