import { presetOf } from './presets';
import { rebuilt } from './rebuilt';
import type { ArrayDesign, Entry } from './types';

const { array, replaces } = presetOf('laptops');
const entry = { letter: 'A', title: 'A', array, replaces } as Entry;
const flash = {
  ...array,
  drive: { ...array.drive, kind: 'ssd', name: 'An NVMe drive' },
} as unknown as ArrayDesign;

test('what an array takes the place of goes with its drive', () => {
  expect(rebuilt(entry, { ...array, scheduler: 'sstf' } as ArrayDesign)).not.toHaveProperty(
    'replaces',
  );
  expect(rebuilt(entry, flash).replaces).toBeNull();
});
