import { expect, test } from 'vitest';
import { SETTINGS, settingRatio, withSetting } from './scaling';

test('a cluster keeps one effect for each choice, and none where it has none', () => {
  const [journal, , jumbo] = SETTINGS;
  const both = withSetting(withSetting([], journal, 1.2), jumbo, 1.1);
  expect(both).toEqual([
    { kind: 'journal', disk_rate_ratio: 1.2 },
    { kind: 'jumbo_frames', network_rate_ratio: 1.1 },
  ]);
  expect(settingRatio(both, journal)).toBe(1.2);
  expect(withSetting(both, journal, 1)).toEqual(both.slice(1));
  expect(settingRatio(undefined, journal)).toBe(1);
});
