import begun from '../../api-types/arrays.json';
import choices from '../../api-types/choices.json';
import type { LayoutKind } from './types';

export const LAYOUTS: Record<LayoutKind, string> = choices['Layout.kind'];

type Disks = Partial<Record<LayoutKind, number>>;

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
