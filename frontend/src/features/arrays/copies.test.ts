import { copiesFor, regionsFault } from './copies';
import { EXOS_X24 } from './drives';
import { COPIES, PRESETS } from './presets';
import type { ArrayDesign } from './types';
import { describe as inWords } from './words';

const hybrid = PRESETS.find(({ id }) => id === 'hybrid')?.array;

describe('copies in free space', () => {
  it('have regions that the simulator can count', () => {
    if (!hybrid) throw new Error('There is a preset.');
    // 24 TB in 512 MiB are 44,704 regions a disk; 8 disks want larger ones.
    const small: ArrayDesign = { ...hybrid, copies: COPIES };
    expect(regionsFault(small)).toContain('1,024 MiB are enough');
    expect(regionsFault({ ...hybrid, copies: copiesFor(hybrid) })).toBeUndefined();
    const one: ArrayDesign = {
      ...small,
      drive: EXOS_X24,
      layout: { ...hybrid.layout, kind: 'single' },
    };
    expect(copiesFor(one).region_bytes).toBe(COPIES.region_bytes);
  });

  it('are told with the array', () => {
    if (!hybrid) throw new Error('There is a preset.');
    expect(inWords({ ...hybrid, copies: COPIES }, null)).toContain('copies in free space');
  });
});
