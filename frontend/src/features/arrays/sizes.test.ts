import { readState, writeState } from './address';
import { said } from './figures/fixture';
import { FIRST_STATE, WORKLOAD } from './presets';
import { sharesOf, sizesFault, sizesText, wholeSectors } from './sizes';

const share = (kib: number, weight_ratio: number) => ({ size_bytes: kib * 1024, weight_ratio });
const MIX = { ...WORKLOAD, sizes: [share(4, 3), share(64, 1)], read_fraction: 0.5 };

describe('sizes of requests', () => {
  it('come to shares, and to whole sectors', () => {
    expect(sharesOf(MIX.sizes)).toEqual([0.75, 0.25]);
    expect(wholeSectors(700)).toBe(512);
  });

  it('are told by the smallest and the largest that occur', () => {
    expect(said(sizesText(MIX))).toBe('4 to 64 KiB');
    expect(said(sizesText({ ...MIX, sizes: [share(4, 1), share(64, 0)] }))).toBe('4 KiB');
    expect(said(sizesText(WORKLOAD))).toBe('8 KiB');
  });

  it('need a weight', () => {
    expect(sizesFault([share(4, 0)])).toContain('weight above 0');
    expect(sizesFault(MIX.sizes)).toBeNull();
  });

  it('are kept in the address', () => {
    const state = { ...FIRST_STATE, workload: { ...MIX, write_sizes: [share(16, 1)] } };
    expect(readState(writeState(state))).toEqual(state);
  });
});
