import { alternativePreset, alternativesParams } from './alternatives';
import type { Alternative } from './alternatives';
import { readState, writeState } from './address';
import { entryOf, FIRST_STATE, presetOf, WORKLOAD } from './presets';
import type { Outlook } from './result';
import type { Addresses } from './types';

const OUTLOOK = { arrival_rate_per_s: 20, request_bytes: 8192 } as Outlook;
const { array } = presetOf('laptops');
const addresses: Addresses = {
  kind: 'regions',
  regions: [{ start_fraction: 0, end_fraction: 0.5, weight_ratio: 0.8, stay_fraction: 0 }],
};
const own = { ...WORKLOAD, requests_count: 7, addresses };

const row = (kind: Alternative['kind'], sets_workload = true) =>
  ({
    kind,
    sets_workload,
    title: 'A way',
    about: 'Of a paper',
    preset: JSON.stringify({ array, workload: own }),
  }) as Alternative;

describe('ways to save energy that were proposed elsewhere', () => {
  it('are asked for at the rate and size of the page', () => {
    expect(alternativesParams(OUTLOOK)).toEqual({ arrival_rate_per_s: 20, size_bytes: 8192 });
    expect(alternativesParams({ ...OUTLOOK, arrival_rate_per_s: null })).toEqual({
      size_bytes: 8192,
    });
  });

  it('become arrays of the page, whole enough to be shared by an address', () => {
    const preset = alternativePreset(row('concentrated'), WORKLOAD);
    if (!preset.workload) throw new Error('The workload is missing.');
    expect(preset.workload).toMatchObject({ requests_count: 1_000_000, addresses });
    const state = { ...FIRST_STATE, entries: [entryOf(preset, 'A')], workload: preset.workload };
    expect(readState(writeState(state))).toEqual(state);
  });

  it('leave the workload alone where only the disks differ', () => {
    const preset = alternativePreset(row('multi_speed', false), WORKLOAD);
    expect(preset).toMatchObject({ title: 'A way', array });
    expect(preset.workload).toBeUndefined();
  });
});
