import { answerQueryOptions } from '../../../lib/answers';
import type { Science } from '../../../lib/science';
import type { ArrayResult } from '../result';
import type { ArrayDesign, ArraysState } from '../types';

export const DESIGN = 'plans.array_design';

/** An array as a study's design has it: what is left out, and the plan's figures of it. */
export type StudyDesign = Science['plans.array_design.Result'];

type Surroundings = Pick<ArraysState, 'workload' | 'recorded' | 'site'>;

/** What a study makes of an array, with what a run has found of it if there was one. */
export const designQueryOptions = (
  array: ArrayDesign,
  { workload, recorded, site }: Surroundings,
  found: ArrayResult | undefined,
) =>
  answerQueryOptions<StudyDesign, StudyDesign>(
    DESIGN,
    {
      array,
      workload,
      recorded: recorded !== null,
      recorded_rate_per_s: recorded?.rate_per_s ?? null,
      throughput_per_s: found?.throughput_per_s ?? null,
      hit_fraction: found?.cache?.hit_fraction ?? null,
      energy_usd_per_kwh: site.usd_per_kwh,
      carbon: {
        gco2e_per_kwh: site.gco2e_per_kwh,
        year: site.carbon_year,
        zone: site.carbon_zone,
        basis: site.carbon_basis,
      },
      drive_kgco2e: site.drive_kgco2e,
    },
    ({ result }) => result,
  );
