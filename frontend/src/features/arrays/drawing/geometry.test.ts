import type { Json } from '../../../lib/pointer';
import { PRESETS } from '../presets';
import { plannedArray } from '../plan-array';
import type { ArrayDesign, LayoutKind } from '../types';
import { PARITIES } from '../words';
import { chunkAt, groupsOf } from './chunks';
import { pictureOf } from './geometry';

function preset(id: string): ArrayDesign {
  const found = PRESETS.find((one) => one.id === id);
  if (!found) throw new Error(id);
  return found.array;
}

/** Disks' worth of space that hold data. */
function dataDisks(kind: LayoutKind, disks: number): number {
  if (kind === 'raid1' || kind === 'mirrored_set') return 1;
  return kind === 'raid10' ? Math.floor(disks / 2) : disks - (PARITIES[kind] ?? 0);
}

function ofLayout(kind: LayoutKind, disks: number, more: Partial<ArrayDesign> = {}): ArrayDesign {
  const array = { ...preset('raid5'), ...more };
  return { ...array, layout: { ...array.layout, kind, disks_count: disks } };
}

describe('what lies where', () => {
  it('turns the parity as Linux md does, left-symmetric', () => {
    // Chunks 3 and 4 of a RAID-5 of four lie on disks 3 and 0 of stripe 1.
    expect(chunkAt('raid5', 3, 1, 4)).toMatchObject({ kind: 'data', number: 3 });
    expect(chunkAt('raid5', 0, 1, 4)).toMatchObject({ kind: 'data', number: 4 });
    const parity = [0, 1, 2, 3].map((row) =>
      [0, 1, 2, 3].find((disk) => chunkAt('raid5', disk, row, 4).kind === 'parity'),
    );
    expect(parity).toEqual([3, 2, 1, 0]);
  });

  it('keeps two parities in every stripe of a RAID-6, side by side', () => {
    for (let row = 0; row < 6; row += 1) {
      const kinds = Array.from({ length: 6 }, (_, disk) => chunkAt('raid6', disk, row, 6).kind);
      const first = kinds.indexOf('parity');
      expect(kinds.filter((kind) => kind === 'data')).toHaveLength(4);
      expect(kinds[(first + 1) % 6]).toBe('second_parity');
    }
  });

  it.each<[LayoutKind, number]>([
    ['raid0', 4],
    ['raid5', 5],
    ['raid6', 6],
    ['raid10', 6],
    ['raid1', 3],
  ])('numbers every chunk of %s once for each copy', (kind, disks) => {
    const rows = 6;
    const counts = new Map<number, number>();
    for (let disk = 0; disk < disks; disk += 1) {
      for (let row = 0; row < rows; row += 1) {
        const chunk = chunkAt(kind, disk, row, disks);
        if (chunk.kind === 'data') counts.set(chunk.number, (counts.get(chunk.number) ?? 0) + 1);
      }
    }
    const copies = kind === 'raid1' ? disks : kind === 'raid10' ? 2 : 1;
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual(
      Array.from({ length: rows * dataDisks(kind, disks) }, (_, at) => at),
    );
    expect(new Set(counts.values())).toEqual(new Set([copies]));
  });

  it('stands the mirrors of a RAID-10 together in pairs', () => {
    expect(groupsOf('raid10', 6)).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
  });
});

describe('several groups', () => {
  it('numbers the chunks of two RAID-5 groups of three without a gap', () => {
    const numbers: number[] = [];
    for (let disk = 0; disk < 6; disk += 1) {
      for (let row = 0; row < 3; row += 1) {
        const chunk = chunkAt('raid5', disk, row, 6, 3);
        if (chunk.kind === 'data') numbers.push(chunk.number);
      }
    }
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, at) => at));
    expect(groupsOf('raid5', 6, 3)).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
  });

  it('stripes over sets of three mirrors', () => {
    const first = [0, 1, 2, 3, 4, 5].map((disk) => chunkAt('raid10', disk, 1, 6, 3).number);
    expect(first).toEqual([2, 2, 2, 3, 3, 3]);
  });
});

describe('an array of a study', () => {
  it('is drawn from its draft', () => {
    const planned = plannedArray({
      layout: 'mirrored_sets',
      disks_count: 6,
      disks_per_group: 3,
      spares_count: 1,
      power_policy: { kind: 'threshold' },
      cache: { device: { capacity_gb: 100 }, count: 2 },
    });
    expect(planned).toMatchObject({ perGroup: 3, spares: 1, count: 1 });
    expect(planned?.array.cache?.capacity_gb).toBe(200);
    expect(planned?.array.timeouts).not.toBeNull();
  });

  it.each<Json>([null, 3, {}, { layout: 'raid9', disks_count: 4 }, { disks_count: 1e6 }])(
    'is not drawn where there is nothing to draw: %j',
    (spec) => {
      expect(plannedArray(spec)).toBeNull();
    },
  );
});

describe('the drawing', () => {
  const WIDTHS = [260, 320, 420, 640, 900];

  it.each([1, 2, 4, 8, 16, 24, 48, 64])('keeps %i disks within its width and apart', (disks) => {
    for (const width of WIDTHS) {
      const picture = pictureOf(ofLayout('raid0', disks), { width });
      expect(picture.disks).toHaveLength(disks);
      for (const disk of picture.disks) {
        expect(disk.x).toBeGreaterThanOrEqual(0);
        expect(disk.x + disk.width).toBeLessThanOrEqual(width);
        expect(disk.y + disk.height).toBeLessThanOrEqual(picture.height);
      }
      picture.disks.forEach((one, at) => {
        const other = picture.disks[at + 1];
        if (other && other.y === one.y) expect(other.x).toBeGreaterThanOrEqual(one.x + one.width);
      });
    }
  });

  it('shows the parity of a RAID-5 go once round', () => {
    const picture = pictureOf(ofLayout('raid5', 5), { width: 480 });
    const owners = picture.disks
      .filter((disk) => disk.chunks.some(({ chunk }) => chunk.kind === 'parity'))
      .map(({ disk }) => disk);
    expect(owners).toEqual([0, 1, 2, 3, 4]);
  });

  it('puts the cache above the disks', () => {
    const picture = pictureOf(preset('raid5-ssd'), { width: 400 });
    const bottom = (picture.cache?.y ?? 0) + (picture.cache?.height ?? 0);
    expect(picture.cache).not.toBeNull();
    expect(picture.disks.every((disk) => disk.y > bottom)).toBe(true);
    expect(pictureOf(preset('raid5'), { width: 400 }).cache).toBeNull();
  });

  it('tells the sleeping, the failed and the spare', () => {
    const asleep = pictureOf(preset('laptops'), { width: 400, awake: 1 });
    expect(asleep.disks.map((disk) => disk.asleep)).toEqual([false, true, true]);
    const raid = ofLayout('raid5', 4);
    const degraded = { ...raid, layout: { ...raid.layout, failed_disk_count: 1 } };
    const rebuilt = { ...degraded, layout: { ...degraded.layout, rebuild_mb_per_s: 20 } };
    expect(pictureOf(rebuilt, { width: 400 }).disks.map((disk) => disk.rebuilt)).toEqual([
      false,
      false,
      false,
      true,
    ]);
    const drawn = pictureOf(degraded, { width: 400, spares: 1 });
    expect(drawn.disks.map((disk) => disk.failed)).toEqual([false, false, false, true, false]);
    expect(drawn.disks.at(-1)?.role).toBe('spare');
    expect(drawn.wires).toHaveLength(4);
  });

  it('frames the pairs of a RAID-10', () => {
    const picture = pictureOf(ofLayout('raid10', 4), { width: 480 });
    expect(picture.groups).toHaveLength(2);
    const [first, second] = picture.groups;
    expect((first?.x ?? 0) + (first?.width ?? 0)).toBeLessThanOrEqual(second?.x ?? 0);
  });
});
