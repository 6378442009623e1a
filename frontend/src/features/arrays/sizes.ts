import { quantity } from '../../lib/format';
import type { SizeShare, SyntheticWorkload } from './types';

type Sized = Pick<SyntheticWorkload, 'size_bytes' | 'sizes' | 'write_sizes' | 'read_fraction'>;

const KIB = 1024;
const SECTOR_BYTES = 512;

/** Sizes are whole sectors. */
export function wholeSectors(bytes: number): number {
  return Math.max(SECTOR_BYTES, Math.round(bytes / SECTOR_BYTES) * SECTOR_BYTES);
}

const weightOf = (sizes: readonly SizeShare[]) =>
  sizes.reduce((sum, { weight_ratio }) => sum + weight_ratio, 0);

/** Share of the requests that have each size; none where no size has a weight. */
export function sharesOf(sizes: readonly SizeShare[]): number[] {
  const whole = weightOf(sizes);
  return sizes.map(({ weight_ratio }) => (whole > 0 ? weight_ratio / whole : 0));
}

/** What is wrong with a list of sizes; nothing when it may stay. */
export function sizesFault(sizes: readonly SizeShare[]): string | null {
  return sizes.length > 0 && weightOf(sizes) <= 0
    ? 'At least one size needs a weight above 0.'
    : null;
}

/** 8 KiB, or 4 to 64 KiB. */
export function sizesText(workload: Sized): string {
  const { size_bytes, sizes, write_sizes, read_fraction: reads } = workload;
  const known = [...sizes, ...(reads < 1 ? write_sizes : [])].filter(
    ({ weight_ratio }) => weight_ratio > 0,
  );
  const all = known.map((share) => share.size_bytes / KIB);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  if (all.length === 0) return quantity(size_bytes / KIB, 'KiB');
  return low === high ? quantity(low, 'KiB') : `${quantity(low, '')} to ${quantity(high, 'KiB')}`;
}
