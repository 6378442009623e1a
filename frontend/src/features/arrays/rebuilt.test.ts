import { maySleep } from './drawing/power-states';
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

test('a drive without a state of sleep is never drawn asleep', () => {
  const timeouts = { low_power_idle_s: 1, standby_s: 10 } as ArrayDesign['timeouts'];
  expect(maySleep({ drive: flash.drive, timeouts })).toBe(false);
  expect(maySleep({ drive: array.drive, timeouts: null })).toBe(false);
  expect(maySleep({ drive: array.drive, timeouts })).toBe(true);
  const awake = { ...array.drive, low_power_idle: null, standby: null } as ArrayDesign['drive'];
  expect(maySleep({ drive: awake, timeouts })).toBe(false);
});
