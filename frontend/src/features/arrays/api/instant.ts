import { answerQueryOptions } from '../../../lib/answers';
import type { JsonObject } from '../../../lib/pointer';
import { arrivalRate } from '../workload';
import type { InstantResult } from '../result';
import type { ArrayDesign, ArraysState, LayoutKind, Workload } from '../types';

const INSTANT = 'storage.array_instant';

type Asked = Pick<ArraysState, 'workload' | 'recorded'>;

const CLOSED_FORMS: Partial<Record<LayoutKind, string>> = {
  single: 'raid0',
  raid0: 'raid0',
  raid1: 'mirrored_set',
  mirrored_set: 'mirrored_set',
  raid5: 'raid5',
};

/** Why there is no closed form for an array; nothing when there is one. */
export function noClosedForm(array: ArrayDesign, state: Asked): string | null {
  const { workload, recorded } = state;
  if (recorded) return 'There is no closed form for recorded requests: simulate.';
  const { drive, layout, cache, copies, scheduler } = array;
  if (drive.kind === 'ssd') return 'There is no closed form for solid-state drives: simulate.';
  if (drive.seek.kind !== 'three_point') return 'The closed form needs a three-point seek curve.';
  if (cache) return 'There is no closed form for an array with a cache: simulate.';
  if (copies) return 'There is no closed form for copies in free space: simulate.';
  if (scheduler !== 'fcfs') return 'There is no closed form for a sorted queue: simulate.';
  if (layout.failed_disk_count > 0) return 'There is no closed form for a lost disk: simulate.';
  if (!CLOSED_FORMS[layout.kind]) return 'There is no closed form for this layout: simulate.';
  if (arrivalRate(workload) === null) return 'In a closed loop the array sets the pace: simulate.';
  return null;
}

function params(array: ArrayDesign, workload: Workload): JsonObject {
  return {
    drive: array.drive,
    layout: CLOSED_FORMS[array.layout.kind],
    disks_count: array.layout.disks_count,
    arrival_rate_per_s: arrivalRate(workload),
    read_fraction: workload.read_fraction,
    size_bytes: workload.size_bytes,
  } as unknown as JsonObject;
}

/** The closed form of an array: asked again as one types, the last answer stays meanwhile. */
export const instantQueryOptions = (array: ArrayDesign, state: Asked) =>
  answerQueryOptions<InstantResult, InstantResult>(
    INSTANT,
    noClosedForm(array, state) === null ? params(array, state.workload) : null,
    ({ result }) => result,
  );
