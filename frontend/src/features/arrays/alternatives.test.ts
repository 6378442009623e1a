import { alternativeFigures, alternativePreset, alternativesParams } from './alternatives';
import type { Alternative } from './alternatives';
import type { Outlook } from './result';
import { readState, writeState } from './address';
import { entryOf, FIRST_STATE, WORKLOAD } from './presets';

const DRIVE = {
  name: 'Ultrastar 15K73',
  capacity_gb: 73.9,
  speed_rpm: 15_037,
  seek: { min_ms: 0.6, avg_ms: 3.9, max_ms: 7.5, kind: 'three_point' },
  standby: { power_w: 2, down_j: 60, down_s: 10, up_j: 450, up_s: 25 },
  outer_mb_per_s: 129,
  active_w: 15.6,
  idle_w: 12,
  kind: 'hdd',
};

const OUTLOOK = { arrival_rate_per_s: 20, request_mean_bytes: 8192.3 } as Outlook;

function row(kind: Alternative['kind'], array: object, workload: object): Alternative {
  return {
    awake_count: 8,
    speed_rpm: 15_037,
    kwh_per_year: 350,
    starts_per_year: null,
    rating_years: null,
    kind,
    sold: kind !== 'multi_speed',
    note: null,
    drives_count: 8,
    power_w: 40,
    saved_fraction: 0.6,
    response_mean_ms: 5.5,
    preset: JSON.stringify({ array, workload }),
  };
}

const sleeping = {
  drive: DRIVE,
  layout: { kind: 'concatenated', disks_count: 8, chunk_bytes: 73_899_999_744 },
  timeouts: { standby_s: 44 },
};

describe('ways to save energy that were proposed elsewhere', () => {
  it('are asked for at the rate and size of the page', () => {
    expect(alternativesParams(OUTLOOK)).toEqual({ arrival_rate_per_s: 20, size_bytes: 8192 });
  });

  it('become arrays of the page, whole enough to be shared by an address', () => {
    const preset = alternativePreset(
      row('concentrated', sleeping, {
        arrivals: { mean_ms: 50, kind: 'exponential' },
        addresses: {
          kind: 'regions',
          regions: [
            { start_fraction: 0, end_fraction: 0.5, weight_ratio: 0.8 },
            { start_fraction: 0.5, end_fraction: 1, weight_ratio: 0.2 },
          ],
        },
      }),
      WORKLOAD,
    );
    if (!preset?.workload) throw new Error('The workload is missing.');
    expect(preset.array.layout).toMatchObject({ kind: 'concatenated', failed_disk_count: 0 });
    expect(preset.array.timeouts).toEqual({ low_power_idle_s: null, standby_s: 44 });
    expect(preset.array.drive).toMatchObject({ ...DRIVE, overhead_ms: 0.3, price_usd: 0 });
    expect(preset.workload).toMatchObject({ requests_count: WORKLOAD.requests_count });
    expect(preset.workload.addresses).toMatchObject({ regions: [{ stay_fraction: 0 }, {}] });
    const state = {
      ...FIRST_STATE,
      entries: [entryOf(preset, 'A')],
      workload: preset.workload,
    };
    expect(readState(writeState(state))).toEqual(state);
  });

  it('leave the workload alone where only the disks differ', () => {
    const preset = alternativePreset(
      row('multi_speed', { drive: DRIVE, timeouts: null }, {}),
      WORKLOAD,
    );
    expect(preset?.workload).toBeUndefined();
    expect(preset?.array.timeouts).toBeNull();
  });

  it('say when they draw more', () => {
    const text = alternativeFigures({ ...row('idle_array', {}, {}), saved_fraction: -0.07 });
    expect(text).toContain('7% more than always on');
    const same = alternativeFigures({ ...row('concentrated', {}, {}), saved_fraction: -7e-16 });
    expect(same).toContain('as much as always on');
  });
});
