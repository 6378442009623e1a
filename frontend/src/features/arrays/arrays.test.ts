import { arraysSearch, readState, writeState } from './address';
import { entryOf, FIRST_STATE, freeLetter, LETTERS, PRESETS, stateOfDrive } from './presets';
import type { Addresses, Arrivals, ArraysState } from './types';
import { fittingDisks } from './words';
import { atRate } from './workload';

const MMPP = {
  kind: 'mmpp' as const,
  quiet_mean_ms: 100,
  busy_mean_ms: 5,
  quiet_stay_ms: 60_000,
  busy_stay_ms: 5000,
};
const CLOSED: Arrivals = {
  kind: 'closed',
  users_count: 8,
  think_ms: 0,
  think_times_vary: true,
  wake_ms: 0,
};
const REGIONS: Addresses = {
  kind: 'regions',
  regions: [{ start_fraction: 0, end_fraction: 0.1, weight_ratio: 8, stay_fraction: 0 }],
};

describe('the address', () => {
  it('holds the whole set of arrays', () => {
    const state: ArraysState = {
      ...FIRST_STATE,
      entries: PRESETS.map((preset, place) => entryOf(preset, LETTERS[place] ?? 'A')),
      workload: {
        ...FIRST_STATE.workload,
        arrivals: MMPP,
        addresses: REGIONS,
        sizes: [{ size_bytes: 4096, weight_ratio: 3 }],
        write_sizes: [{ size_bytes: 16_384, weight_ratio: 1 }],
        read_fraction: 0.7,
      },
      site: { ...FIRST_STATE.site, gco2e_per_kwh: null },
      stop_interval_fraction: 0.01,
      seed: 7,
    };
    expect(readState(writeState(state))).toEqual(state);
  });

  it('keeps what was changed of a drive', () => {
    const [first] = FIRST_STATE.entries;
    if (!first || first.array.drive.kind !== 'hdd') throw new Error('The first is a disk.');
    const drive = { ...first.array.drive, name: 'Größer', capacity_gb: 146, standby: null };
    const entries = [{ ...first, array: { ...first.array, drive } }];
    expect(readState(writeState({ ...FIRST_STATE, entries })).entries).toEqual(entries);
  });

  it('is short enough to be sent', () => {
    expect(writeState(FIRST_STATE).length).toBeLessThan(900);
  });

  it.each([
    '',
    'nonsense',
    '%%%',
    btoa('{"a":[{"l":"Z"}]}'),
    btoa('{"a":[{"l":"A","d":{"drive":3}}]}'),
  ])('opens the first arrays where it cannot be read: %s', (text) => {
    expect(readState(text)).toEqual(FIRST_STATE);
  });

  it('opens a fitted drive with the requests that it was measured with', () => {
    const [first] = FIRST_STATE.entries;
    if (!first) throw new Error('There is none.');
    const arrivals = { ...CLOSED, users_count: 1, think_ms: 0.017, wake_ms: 0.009 };
    const state = stateOfDrive(first.array.drive, { arrivals, size_bytes: 4096, read_fraction: 0 });
    const { workload } = readState(writeState(state));
    expect(workload).toEqual({
      ...FIRST_STATE.workload,
      arrivals,
      size_bytes: 4096,
      read_fraction: 0,
    });
    expect(stateOfDrive(first.array.drive).workload).toEqual(FIRST_STATE.workload);
  });

  it('drops what is not its own', () => {
    expect(arraysSearch({ s: 3, run: 'yes', other: 1 })).toEqual({ s: undefined, run: undefined });
  });

  it('opens what a simulation was asked elsewhere', () => {
    const { entries, workload } = FIRST_STATE;
    const array = { ...entries[0]?.array, ageing_ratio: 2 };
    const asked = { ...workload, requests_count: 1234 };
    const { s } = arraysSearch({ s: { array, workload: asked } });
    expect(readState(s).entries.map((entry) => entry.array)).toEqual([array]);
    expect(readState(s).workload).toEqual(asked);
    expect(arraysSearch({ s: { array: 'none' } }).s).toBeUndefined();
  });

  it('gives a new array the first free letter', () => {
    const [, second] = FIRST_STATE.entries;
    expect(freeLetter(second ? [second] : [])).toBe('A');
    const all = second ? LETTERS.map((letter) => ({ ...second, letter })) : [];
    expect(freeLetter(all)).toBeUndefined();
  });
});

describe('the workload', () => {
  it('has one rate, over the time between requests', () => {
    const exponential = { kind: 'exponential' as const, mean_ms: 10 };
    expect(atRate(exponential, 40, null)).toEqual({ kind: 'exponential', mean_ms: 25 });
  });

  it('is slowed as a whole where it has two rates', () => {
    expect(atRate(MMPP, 10, 20)).toMatchObject({ quiet_mean_ms: 200, busy_mean_ms: 10 });
  });

  it('has no rate of its own in a closed loop', () => {
    expect(atRate(CLOSED, 10, null)).toEqual(CLOSED);
  });

  it('fits the number of disks to the layout', () => {
    expect(fittingDisks('raid10', 3)).toBe(4);
    expect(fittingDisks('raid10', 7)).toBe(8);
    expect(fittingDisks('raid6', 2)).toBe(4);
    expect(fittingDisks('single', 9)).toBe(1);
  });
});
