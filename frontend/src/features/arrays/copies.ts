import { COPIES } from './presets';
import type { ArrayDesign, FreeSpaceCopies } from './types';

/** Regions of all disks together, as many as the simulator counts. */
const MOST_REGIONS = 2 ** 18;
const BYTES_PER_GB = 1e9;

function regionsOf({ drive, layout }: ArrayDesign, region_bytes: number): number {
  const disks = layout.kind === 'single' ? 1 : layout.disks_count;
  return Math.ceil((drive.capacity_gb * BYTES_PER_GB) / region_bytes) * disks;
}

/** Copies at their defaults, in regions that are large enough for the disks. */
export function copiesFor(array: ArrayDesign): FreeSpaceCopies {
  let region_bytes = COPIES.region_bytes;
  while (regionsOf(array, region_bytes) > MOST_REGIONS) region_bytes *= 2;
  return { ...COPIES, region_bytes };
}

/** Why the regions are too small; nothing when they are not. */
export function regionsFault(array: ArrayDesign): string | undefined {
  const { copies } = array;
  if (!copies || regionsOf(array, copies.region_bytes) <= MOST_REGIONS) return undefined;
  const least = copiesFor(array).region_bytes / 2 ** 20;
  return `These are more regions than are counted. ${least.toLocaleString('en-GB')} MiB are enough.`;
}
