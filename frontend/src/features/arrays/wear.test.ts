import { FAST, said } from './figures/fixture';
import { notesOf } from './notes';
import { FIRST_STATE, PRESETS } from './presets';
import type { ArrayResult, DeviceUse } from './result';
import { runParams } from './run-params';
import type { ArrayDesign } from './types';
import { WEAR_UNKNOWN, wearOf, wearShort, wearText } from './wear';

function withDevice(change: Partial<DeviceUse>): ArrayResult {
  const [device] = FAST.result.devices;
  if (!device) throw new Error('The fixture has a device.');
  return { ...FAST.result, devices: [{ ...device, ...change }] };
}

const disk: ArrayDesign | undefined = PRESETS[0]?.array;

describe('wear', () => {
  it('of flash is what is written to it, amplified, against its rating', () => {
    // 1 GB in 1,000 s is 86.4 GB a day; 10 years of it are 315 TB.
    const flash = {
      write_amplification_ratio: 2,
      written_tb: 0.001,
      spin_ups_count: 0,
      years_to_rating_years: 10,
    };
    expect(said(wearText(withDevice(flash)))).toBe(
      '86.4 GB written a day, 2.00 times that on flash, worn in 10 yr',
    );
    const plain = { ...flash, write_amplification_ratio: 1 };
    expect(said(wearText(withDevice(plain)))).toContain('of 315 TB rated');
    expect(wearText(withDevice({ ...flash, years_to_rating_years: null }))).toContain('no rated');
  });

  it('past any service is told without its years', () => {
    const long = withDevice({ years_to_rating_years: 5294 });
    expect(said(wearText(long))).toContain('worn in more than 100 yr');
    expect(wearShort(long)).toBe('hardly worn');
  });

  it('is said of the device that is worn first', () => {
    const [device] = FAST.result.devices;
    const other = { ...(device as DeviceUse), years_to_rating_years: 0.5 };
    const both = { ...FAST.result, devices: [...FAST.result.devices, other] };
    expect(said(wearText(both))).toContain('worn in 6 months');
  });

  it('is unknown before a run where disks may sleep', () => {
    if (!disk) throw new Error('There is a preset.');
    const steady = { ...disk, timeouts: null };
    const sleeping = { ...disk, timeouts: { low_power_idle_s: null, standby_s: 10 } };
    expect(wearOf(steady, undefined, null)).toContain('no start-stops');
    expect(wearOf(sleeping, undefined, null)).toBe(WEAR_UNKNOWN);
    expect(said(wearOf(sleeping, undefined, { wear_years: 3 }))).toBe(
      'worn in 3 yr by closed form',
    );
  });
});

describe('wear of flash in closed form', () => {
  it('is told in drive writes a day', () => {
    if (!disk) throw new Error('There is a preset.');
    const flash = { write_amplification_ratio: 2, drive_writes_per_day: 0.5, wear_years: 4 };
    expect(said(wearOf(disk, undefined, null, flash))).toBe(
      '0.500 drive writes a day, worn in 4 yr by closed form',
    );
    const idle = { ...flash, drive_writes_per_day: 0, wear_years: null };
    expect(wearOf(disk, undefined, null, idle)).toBe('nothing written');
  });
});

describe('the notes on a run', () => {
  it('say that it stopped early, and how well the mean is known', () => {
    const result = { ...FAST.result, stopped_early: true };
    expect(notesOf({ ...FAST, result }).map(said)).toEqual([
      'A stopped early, after 100,000 requests: the mean is known to ± 2%.',
    ]);
  });

  it('say each warning once, and leave saturation to the answer', () => {
    const result = { ...FAST.result, warnings: ['few_requests', 'saturated', 'trace_folded'] };
    const notes = notesOf({ ...FAST, result });
    expect(notes).toHaveLength(2);
    expect(notes[1]).toContain('folded back');
  });
});

describe('what the simulator is asked', () => {
  it('may stop early on a trace as on drawn requests', () => {
    const trace = { trace_id: 't', sha256: 'a', kind: 'uploaded' } as const;
    const replay = {
      timing: 'recorded',
      time_ratio: 1,
      users_count: 1,
      think_ms: null,
      devices: 'folded',
    } as const;
    const recorded = { trace, title: 'x', requests_count: 10, rate_per_s: null, replay };
    const state = { ...FIRST_STATE, recorded, stop_interval_fraction: 0.02 };
    const [entry] = state.entries;
    if (!entry) throw new Error('The page begins with an array.');
    expect(runParams(entry.array, state)).toMatchObject({ trace, stop_interval_fraction: 0.02 });
  });
});
