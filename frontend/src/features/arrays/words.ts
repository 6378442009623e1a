import begun from '../../api-types/arrays.json';
import choices from '../../api-types/choices.json';
import { quantity } from '../../lib/format';
import { lossText } from './losses';
import type { ArrayDesign, CacheMode, LayoutKind } from './types';

export const LAYOUTS: Record<LayoutKind, string> = choices['Layout.kind'];
export const CACHE_MODES: Record<CacheMode, string> = choices['CacheTier.mode'];

type Disks = Partial<Record<LayoutKind, number>>;

/** Drives' worth of parity. */
export const PARITIES: Disks = begun.parities;
export const LEAST_DISKS: Disks = begun.least_disks;

/** Stripes of fewer disks than there are, spread over all, with room for rebuilds on each. */
export const isDeclustered = (kind: LayoutKind): boolean => begun.declustered.includes(kind);

/** A number of disks that the layout can have, near the one that was there. */
export function fittingDisks(kind: LayoutKind, disks: number): number {
  if (kind === 'single') return 1;
  const least = LEAST_DISKS[kind] ?? 1;
  const enough = Math.max(least, disks);
  return kind === 'raid10' && enough % 2 === 1 ? enough + 1 : enough;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The array in words, for who cannot see the drawing. */
export function describe(array: ArrayDesign, awake: number | null): string {
  const { layout, drive, cache, timeouts } = array;
  const parts = [
    `${LAYOUTS[layout.kind]}: ${plural(layout.disks_count, drive.kind === 'ssd' ? 'solid-state drive' : 'disk')}, ${drive.name}`,
    lossText(layout),
    array.copies ? 'copies in free space near the head' : '',
    timeouts && awake !== null ? `about ${awake} awake at this load` : '',
    cache
      ? `solid-state cache of ${quantity(cache.capacity_gb * 1e9, 'B')}, ${CACHE_MODES[cache.mode].toLowerCase()}`
      : '',
  ];
  return `${parts.filter(Boolean).join('; ')}.`;
}
