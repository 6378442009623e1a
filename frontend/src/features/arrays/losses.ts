import type { Layout } from './types';

/** Numbers of the lost disks, as the simulator has them: the last ones, of RAID-10 of each pair. */
export function lostDisks({ kind, disks_count: disks, failed_disk_count: lost }: Layout): number[] {
  const apart = kind === 'raid10' ? 2 : 1;
  return Array.from({ length: lost }, (_, at) => disks - 1 - apart * at)
    .filter((disk) => disk >= 0)
    .sort((a, b) => a - b);
}

/** Disk 3 is lost; disks 3 and 5 are lost and being rebuilt; nothing where none is. */
export function lossText(layout: Layout): string {
  const lost = lostDisks(layout);
  if (lost.length === 0) return '';
  const rebuilt = layout.rebuild_mb_per_s === null ? '' : ' and being rebuilt';
  const numbers = lost.length > 6 ? `${lost.length} disks` : named(lost);
  return `${numbers} ${lost.length === 1 ? 'is' : 'are'} lost${rebuilt}`;
}

function named(disks: readonly number[]): string {
  if (disks.length === 1) return `disk ${disks[0]}`;
  return `disks ${disks.slice(0, -1).join(', ')} and ${disks.at(-1)}`;
}
