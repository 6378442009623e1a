import type { LayoutKind } from '../types';
import { PARITIES } from '../words';

/** What lies at one place of one disk: a chunk of data or of parity. */
export interface Chunk {
  kind: 'data' | 'parity' | 'second_parity' | 'third_parity';
  /** Number of the data chunk, or of the stripe that the parity belongs to. */
  number: number;
  stripe: number;
}

function data(number: number, stripe: number): Chunk {
  return { kind: 'data', number, stripe };
}

/** Left-symmetric parity as Linux md has it: parity moves one disk down with every stripe. */
function parityChunk(disk: number, row: number, disks: number, parities: number): Chunk {
  const first = disks - 1 - (row % disks);
  const place = (disk - first + disks) % disks;
  if (place === 0) return { kind: 'parity', number: row, stripe: row };
  if (place < parities) {
    return { kind: place === 1 ? 'second_parity' : 'third_parity', number: row, stripe: row };
  }
  return data(row * (disks - parities) + place - parities, row);
}

/** Disks of a group where nothing else is said: pairs of mirrors, else all. */
export function groupSize(kind: LayoutKind, disks: number, wanted?: number | null): number {
  if (kind === 'concatenated' || kind === 'single' || kind === 'raid0') return 1;
  const size = wanted ?? (kind === 'raid10' ? 2 : disks);
  return Math.max(1, Math.min(size, disks));
}

/** What lies in a row of a disk; stripes go over the groups one after another. */
export function chunkAt(
  kind: LayoutKind,
  disk: number,
  row: number,
  disks: number,
  perGroup?: number | null,
): Chunk {
  const size = groupSize(kind, disks, perGroup);
  const groups = Math.max(1, Math.floor(disks / size));
  const [group, inner] = [Math.floor(disk / size), disk % size];
  switch (kind) {
    case 'raid5':
    case 'raid6':
    case 'raid7': {
      const parities = PARITIES[kind] ?? 0;
      const chunk = parityChunk(inner, row, size, parities);
      if (chunk.kind !== 'data') return chunk;
      return data(chunk.number + (row * (groups - 1) + group) * (size - parities), row);
    }
    case 'raid0':
    case 'raid10':
      return data(row * groups + group, row);
    // Where a declustered stripe lies is drawn by the model; none of its chunks is shown.
    case 'draid1':
    case 'draid2':
    case 'draid3':
    case 'concatenated':
    case 'single':
    case 'raid1':
    case 'mirrored_set':
      return data(row, row);
  }
}

/** Disks that stand together: the copies of a chunk, or the disks of a parity group. */
export function groupsOf(kind: LayoutKind, disks: number, perGroup?: number | null): number[][] {
  const all = Array.from({ length: disks }, (_, disk) => disk);
  const size = kind === 'raid0' ? disks : groupSize(kind, disks, perGroup);
  return Array.from({ length: Math.ceil(disks / size) }, (_, at) =>
    all.slice(size * at, size * (at + 1)),
  );
}
