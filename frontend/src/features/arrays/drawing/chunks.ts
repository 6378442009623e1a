import type { LayoutKind } from '../types';

/** What lies at one place of one disk: a chunk of data or of parity. */
export interface Chunk {
  kind: 'data' | 'parity' | 'second_parity';
  /** Number of the data chunk, or of the stripe that the parity belongs to. */
  number: number;
  stripe: number;
}

function data(number: number, stripe: number): Chunk {
  return { kind: 'data', number, stripe };
}

/** Left-symmetric parity as Linux md has it: parity moves one disk down with every stripe. */
function parityChunk(disk: number, row: number, disks: number, parities: 1 | 2): Chunk {
  const first = disks - 1 - (row % disks);
  const place = (disk - first + disks) % disks;
  if (place === 0) return { kind: 'parity', number: row, stripe: row };
  if (parities === 2 && place === 1) return { kind: 'second_parity', number: row, stripe: row };
  return data(row * (disks - parities) + place - parities, row);
}

/** What lies in a row of a disk. */
export function chunkAt(kind: LayoutKind, disk: number, row: number, disks: number): Chunk {
  switch (kind) {
    case 'raid5':
      return parityChunk(disk, row, disks, 1);
    case 'raid6':
      return parityChunk(disk, row, disks, 2);
    case 'raid0':
      return data(row * disks + disk, row);
    case 'raid10':
      return data(row * Math.floor(disks / 2) + Math.floor(disk / 2), row);
    case 'concatenated':
    case 'single':
    case 'raid1':
    case 'mirrored_set':
      return data(row, row);
  }
}

/** Disks that stand together: mirrors of a stripe are pairs, else all are one group. */
export function groupsOf(kind: LayoutKind, disks: number): number[][] {
  const all = Array.from({ length: disks }, (_, disk) => disk);
  if (kind === 'raid10') {
    return Array.from({ length: Math.ceil(disks / 2) }, (_, at) => all.slice(2 * at, 2 * at + 2));
  }
  if (kind === 'concatenated' || kind === 'single') return all.map((disk) => [disk]);
  return [all];
}

/** Disks' worth of space that hold data, as a share of all disks. */
export function dataDisks(kind: LayoutKind, disks: number): number {
  switch (kind) {
    case 'raid1':
    case 'mirrored_set':
      return 1;
    case 'raid10':
      return Math.floor(disks / 2);
    case 'raid5':
      return Math.max(0, disks - 1);
    case 'raid6':
      return Math.max(0, disks - 2);
    default:
      return disks;
  }
}
