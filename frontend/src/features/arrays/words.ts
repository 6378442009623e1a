import { quantity } from '../../lib/format';
import { lossText } from './losses';
import type {
  Addresses,
  ArrayDesign,
  Arrivals,
  CacheMode,
  DispatchKind,
  LayoutKind,
} from './types';

export const LAYOUTS: Record<LayoutKind, string> = {
  single: 'Single disk',
  raid0: 'RAID-0, striped',
  raid1: 'RAID-1, mirrored',
  raid10: 'RAID-10, striped mirrors',
  raid5: 'RAID-5, one parity',
  raid6: 'RAID-6, two parities',
  raid7: 'Triple parity (RAID-TP)',
  draid1: 'Declustered, one parity',
  draid2: 'Declustered, two parities',
  draid3: 'Declustered, three parities',
  mirrored_set: 'Mirrored set that can sleep',
  concatenated: 'One after another',
};

export const DISPATCHES: Record<DispatchKind, string> = {
  primary_first: 'First disk, by queue length',
  response_time: 'First disk, by response time',
  shortest_queue: 'Shortest queue',
  nearest_head: 'Nearest head',
  random: 'At random',
  round_robin: 'In turn',
};

export const SCHEDULERS = {
  fcfs: 'First come, first served',
  sstf: 'Shortest seek first',
  look: 'LOOK, back and forth',
  clook: 'C-LOOK, upwards by sector',
  sptf: 'Shortest seek and turn first',
} as const;

export const CACHE_MODES: Record<CacheMode, string> = {
  hp08_mirror: 'Mirrored write buffer',
  write_back: 'Write-back',
  write_through: 'Write-through',
};

export const ARRIVAL_KINDS: Record<Arrivals['kind'], string> = {
  exponential: 'Poisson',
  pareto: 'Heavy-tailed (Pareto)',
  mmpp: 'Bursts (two rates)',
  closed: 'Closed loop of users',
};

export const ADDRESS_KINDS: Record<Addresses['kind'], string> = {
  uniform: 'Uniform',
  zipf: 'Popular blocks (Zipf)',
  regions: 'Hot regions',
  sequential: 'Sequential runs',
};

export const STATE_WORDS = {
  active: 'Serving',
  seek: 'Seeking',
  idle: 'Idle',
  low_power_idle: 'Low-power idle',
  standby: 'Standby',
  transition: 'Between states',
} as const;

export function choicesOf<T extends string>(words: Record<T, string>) {
  return (Object.entries(words) as [T, string][]).map(([value, label]) => ({ value, label }));
}

/** Drives' worth of parity. */
export const PARITIES: Partial<Record<LayoutKind, number>> = {
  raid5: 1,
  raid6: 2,
  raid7: 3,
  draid1: 1,
  draid2: 2,
  draid3: 3,
};

/** Stripes of fewer disks than there are, spread over all, with room for rebuilds on each. */
export function isDeclustered(kind: LayoutKind): boolean {
  return kind === 'draid1' || kind === 'draid2' || kind === 'draid3';
}

/** Layouts whose copies can serve a read each. */
export function isMirrored(kind: LayoutKind): boolean {
  return kind === 'raid1' || kind === 'raid10' || kind === 'mirrored_set';
}

export const LEAST_DISKS: Partial<Record<LayoutKind, number>> = {
  raid1: 2,
  raid10: 4,
  raid5: 3,
  raid6: 4,
  raid7: 5,
  draid1: 2,
  draid2: 3,
  draid3: 4,
};

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
