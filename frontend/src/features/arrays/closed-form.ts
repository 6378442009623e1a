import type { JsonObject } from '../../lib/pointer';
import { arrivalRate } from './workload';
import type { ArrayDesign, ArraysState, Drive, Entry, LayoutKind } from './types';
import { isMirrored } from './words';

type Asked = Pick<ArraysState, 'workload' | 'recorded'>;
type Surroundings = Asked & Pick<ArraysState, 'site'>;

const CLOSED_FORMS: Record<LayoutKind, string> = {
  single: 'raid0',
  raid0: 'raid0',
  concatenated: 'raid0',
  raid1: 'mirrored_set',
  mirrored_set: 'mirrored_set',
  raid10: 'raid10',
  raid5: 'raid5',
  raid6: 'raid6',
};

function noFormOfArray({ drive, layout, cache, copies, scheduler }: ArrayDesign): string | null {
  if (drive.kind === 'hdd' && drive.seek.kind !== 'three_point')
    return 'The closed form needs a three-point seek curve.';
  if (cache) return 'There is no closed form for an array with a cache: simulate.';
  if (copies) return 'There is no closed form for copies in free space: simulate.';
  if (scheduler !== 'fcfs') return 'There is no closed form for a sorted queue: simulate.';
  if (layout.failed_disk_count > 0) return 'There is no closed form for a lost disk: simulate.';
  return null;
}

/** Why there is no closed form for an array; nothing when there is one. */
export function noClosedForm(array: ArrayDesign, { workload, recorded }: Asked): string | null {
  if (recorded) return 'There is no closed form for recorded requests: simulate.';
  if (arrivalRate(workload) === null) return 'In a closed loop the array sets the pace: simulate.';
  if (workload.addresses.kind === 'sequential')
    return 'There is no closed form for sequential runs: simulate.';
  return noFormOfArray(array);
}

/** Why the closed form's mean response does not hold for a workload; nothing when it does. */
export function noResponse({ workload }: Asked): string | null {
  const { arrivals } = workload;
  if (arrivals.kind === 'pareto' || arrivals.kind === 'mmpp')
    return 'Requests that bunch wait longer than the closed form says: simulate.';
  return null;
}

/** What the closed form takes otherwise than it was entered. */
export function takenOtherwise(array: ArrayDesign, { workload }: Asked): string | null {
  const { drive, layout, dispatch } = array;
  const { kind } = workload.addresses;
  const parts = [
    kind === 'zipf' || kind === 'regions' ? 'as if all places were read alike' : null,
    isMirrored(layout.kind) && FILLED.has(dispatch.kind)
      ? 'as if the copies shared the reads evenly'
      : null,
    drive.kind === 'hdd' && drive.buffer != null ? 'without the disks’ own cache' : null,
  ].filter(Boolean);
  return parts.length > 0 ? `In closed form, ${parts.join(', ')}.` : null;
}

/** One disk after another is used as the load grows. */
const FILLED = new Set(['primary_first', 'response_time']);

/** Disks that never sleep are asked about as if they could not. */
function awakeOf({ drive, timeouts }: ArrayDesign): Drive {
  return drive.kind === 'hdd' && timeouts === null ? { ...drive, standby: null } : drive;
}

/** What the closed form is asked about an array; nothing where there is none. */
export function instantParams(entry: Entry, state: Surroundings): JsonObject | null {
  return noClosedForm(entry.array, state) === null ? params(entry, state) : null;
}

function params({ array, replaces }: Entry, { workload, site }: Surroundings): JsonObject {
  return {
    drive: awakeOf(array),
    layout: CLOSED_FORMS[array.layout.kind],
    disks_count: array.layout.disks_count,
    arrival_rate_per_s: arrivalRate(workload),
    read_fraction: workload.read_fraction,
    size_bytes: workload.size_bytes,
    sizes: workload.sizes,
    write_sizes: workload.write_sizes,
    replaces,
    energy_usd_per_kwh: site.usd_per_kwh,
  } as unknown as JsonObject;
}
