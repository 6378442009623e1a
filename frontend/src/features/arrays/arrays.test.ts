import { arraysSearch, readState, writeState } from './address';
import { ADDRESSES, ARRIVALS, entryOf, FIRST_STATE, freeLetter, LETTERS, PRESETS } from './presets';
import type { ArraysState } from './types';
import { fittingDisks } from './words';
import { atRate, gapRate } from './workload';

describe('the address', () => {
  it('holds the whole set of arrays', () => {
    const state: ArraysState = {
      ...FIRST_STATE,
      entries: PRESETS.map((preset, place) => entryOf(preset, LETTERS[place] ?? 'A')),
      workload: {
        ...FIRST_STATE.workload,
        arrivals: ARRIVALS.mmpp,
        addresses: ADDRESSES.regions,
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
  it.each(['exponential', 'pareto'] as const)('keeps a rate through %s', (kind) => {
    expect(gapRate(atRate(ARRIVALS[kind], 37, null))).toBeCloseTo(37, 9);
  });

  it('is slowed as a whole where it has two rates', () => {
    const { quiet_mean_ms, busy_mean_ms } = ARRIVALS.mmpp;
    expect(atRate(ARRIVALS.mmpp, 10, 20)).toMatchObject({
      quiet_mean_ms: quiet_mean_ms * 2,
      busy_mean_ms: busy_mean_ms * 2,
    });
  });

  it('has no rate of its own in a closed loop', () => {
    expect(gapRate(ARRIVALS.closed)).toBeNull();
    expect(atRate(ARRIVALS.closed, 10, null)).toEqual(ARRIVALS.closed);
  });

  it('fits the number of disks to the layout', () => {
    expect(fittingDisks('raid10', 3)).toBe(4);
    expect(fittingDisks('raid10', 7)).toBe(8);
    expect(fittingDisks('raid6', 2)).toBe(4);
    expect(fittingDisks('single', 9)).toBe(1);
  });
});
