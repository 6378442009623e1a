import { lossText, lostDisks } from './losses';
import { PRESETS } from './presets';
import type { Layout, LayoutKind } from './types';

function layout(kind: LayoutKind, disks_count: number, lost = 0): Layout {
  const [first] = PRESETS;
  if (!first) throw new Error('There is no preset.');
  return { ...first.array.layout, kind, disks_count, failed_disk_count: lost };
}

describe('lost disks', () => {
  it('are the last ones, and of RAID-10 one of each pair', () => {
    expect(lostDisks(layout('raid6', 8, 2))).toEqual([6, 7]);
    expect(lostDisks(layout('raid10', 6, 2))).toEqual([3, 5]);
    expect(lossText(layout('raid10', 6, 2))).toBe('disks 3 and 5 are lost');
    const rebuilt = { ...layout('raid5', 4, 1), rebuild_mb_per_s: 20 };
    expect(lossText(rebuilt)).toBe('disk 3 is lost and being rebuilt');
    expect(lossText(layout('raid5', 4))).toBe('');
  });
});
