import { fitted } from './fitted';
import { presetOf, stateOfDrive } from './presets';
import type { ArrayDesign, Layout } from './types';

const single = stateOfDrive(presetOf('laptops').array.drive).entries[0]?.array as ArrayDesign;
const laid = (change: Partial<Layout>) => ({ ...single, layout: { ...single.layout, ...change } });

describe('an array that was changed', () => {
  it('has as many disks as another layout needs, and none lost', () => {
    const before = laid({ kind: 'raid5', disks_count: 3, failed_disk_count: 1 });
    const after = fitted(before, laid({ kind: 'raid10', disks_count: 3, failed_disk_count: 1 }));
    expect(after.layout).toMatchObject({ disks_count: 4, failed_disk_count: 0 });
    expect(fitted(before, laid({ kind: 'draid2', disks_count: 3 })).layout.disks_count).toBe(12);
  });

  it('sorts no queue and keeps no copies on flash', () => {
    const next = { ...single, drive: presetOf('nvme').array.drive, scheduler: 'look' as const };
    expect(fitted(single, next)).toMatchObject({ scheduler: 'fcfs', copies: null });
  });
});
