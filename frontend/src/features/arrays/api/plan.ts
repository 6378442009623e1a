import { answerQueryOptions } from '../../../lib/answers';
import { PLAN } from '../../../lib/models';
import type { JsonObject } from '../../../lib/pointer';
import { carbonOf, noPlan, planArray } from '../plan-spec';
import type { ArrayResult } from '../result';
import type { ArrayDesign, ArraysState } from '../types';

/** What the plan says of an array in closed form; what is null has a reason beside it. */
export interface PlanFigures {
  raw_tb: number;
  usable_tb: number;
  iops_ceiling_per_s: number;
  requests_per_s: number;
  response_mean_ms: number | null;
  mean_w: number;
  loss_fraction_per_year: number | null;
  wear_years: number | null;
  usd_per_tb_year: number | null;
  kgco2e_per_tb_year: number | null;
  reasons: Record<string, string | undefined>;
}

type Surroundings = Pick<ArraysState, 'workload' | 'recorded' | 'site'>;

function params(array: ArrayDesign, state: Surroundings, found?: ArrayResult): JsonObject {
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

interface Planned {
  designs: { array: PlanFigures | null }[];
}

/** Capacity, cost, carbon and the chance of loss of one array, as a study would have them. */
export const planQueryOptions = (array: ArrayDesign, state: Surroundings, found?: ArrayResult) =>
  answerQueryOptions<Planned, PlanFigures | null>(
    PLAN,
    noPlan(array) === null ? params(array, state, found) : null,
    ({ result }) => result.designs[0]?.array ?? null,
  );
