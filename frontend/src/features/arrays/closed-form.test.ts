import { readState, writeState } from './address';
import { instantParams, noClosedForm, noResponse, takenOtherwise } from './closed-form';
import { said } from './figures/fixture';
import { paybackText } from './payback';
import { ADDRESSES, ARRIVALS, entryOf, FIRST_STATE, PRESETS, REPLACED } from './presets';
import type { ArraysState, Entry, LayoutKind } from './types';

function entry(id: string): Entry {
  const found = PRESETS.find((preset) => preset.id === id);
  if (!found) throw new Error(id);
  return entryOf(found, 'A');
}

function working(change: Partial<ArraysState['workload']>): ArraysState {
  return { ...FIRST_STATE, workload: { ...FIRST_STATE.workload, ...change } };
}

const asked = (one: Entry) => instantParams(one, FIRST_STATE);

describe('the closed form', () => {
  it.each([
    ['single', 'raid0'],
    ['raid10', 'raid10'],
    ['raid6', 'raid6'],
    ['concatenated', 'raid0'],
  ] as const)('answers for %s', (kind: LayoutKind, layout) => {
    const { array, ...rest } = entry('nvme');
    const one = { ...rest, array: { ...array, layout: { ...array.layout, kind } } };
    expect(noClosedForm(one.array, FIRST_STATE)).toBeNull();
    expect(asked(one)).toMatchObject({ layout, disks_count: 4, drive: { kind: 'ssd' } });
  });

  it('says why it cannot: a cache, a lost disk, recorded or sequential requests', () => {
    expect(noClosedForm(entry('raid5-ssd').array, FIRST_STATE)).toContain('cache');
    const { array } = entry('raid5');
    const lost = { ...array, layout: { ...array.layout, failed_disk_count: 1 } };
    expect(noClosedForm(lost, FIRST_STATE)).toContain('lost disk');
    expect(noClosedForm(array, working({ addresses: ADDRESSES.sequential }))).toContain('runs');
    expect(noClosedForm(array, working({ arrivals: ARRIVALS.closed }))).toContain('pace');
  });

  it('withholds a response that it does not know, and says what it takes otherwise', () => {
    expect(noResponse(FIRST_STATE)).toBeNull();
    expect(noResponse(working({ arrivals: ARRIVALS.pareto }))).toContain('bunch');
    const hot = working({ addresses: ADDRESSES.regions });
    expect(takenOtherwise(entry('raid5').array, hot)).toContain('read alike');
    expect(takenOtherwise(entry('raid5').array, FIRST_STATE)).toBeNull();
    expect(takenOtherwise(entry('laptops').array, FIRST_STATE)).toContain('shared the reads');
    expect(takenOtherwise(entry('nvme').array, FIRST_STATE)).toBeNull();
  });

  it('asks about disks that never sleep as if they could not', () => {
    const laptops = entry('laptops');
    expect(asked(laptops)).toMatchObject({ drive: { standby: { power_w: 0.25 } } });
    const awake = { ...laptops, array: { ...laptops.array, timeouts: null } };
    expect(asked(awake)).toMatchObject({ drive: { standby: null } });
  });
});

describe('what a swap of drives pays', () => {
  // Three laptop disks for a server disk at 1 request a second, 0.10 USD/kWh.
  const swap = {
    saved_w: 9.52,
    saved_usd_per_year: 8.34,
    payback_years: 52.2,
    always_on_w: 6.01,
    one_awake_w: 2.507,
  };

  it('is asked with the price of energy, and kept in the address', () => {
    expect(asked(entry('laptops'))).toMatchObject({
      replaces: { disks_count: 1, drive: { name: 'Ultrastar 15K73' } },
      energy_usd_per_kwh: 0.1301,
    });
    const other = { ...REPLACED, drive: { ...REPLACED.drive, price_usd: 300 }, disks_count: 2 };
    const state = { ...FIRST_STATE, entries: [{ ...entry('laptops'), replaces: other }] };
    expect(readState(writeState(state))).toEqual(state);
  });

  it('says that the argument is density where electricity takes longer than drives serve', () => {
    const text = said(paybackText(entry('laptops'), swap, FIRST_STATE));
    expect(text).toBe(
      'Saves 9.52 W (79%) over Ultrastar 15K73, $8.34 a year. Its drives cost $435 more: electricity alone pays that back in 52.2 yr. The case for the swap is the density of power and cooling.',
    );
    const soon = { ...swap, payback_years: 4 };
    expect(paybackText(entry('laptops'), soon, FIRST_STATE)).not.toContain('density');
  });

  it('says when it never pays, costs nothing more, or a price is not known', () => {
    const one = entry('laptops');
    const never = { ...swap, saved_w: -3, saved_usd_per_year: -3, payback_years: null };
    const text = said(paybackText(one, never, FIRST_STATE));
    expect(text).toContain('Uses 3.00 W more than');
    expect(text).toContain('never pays back');
    const dear = { drive: { ...REPLACED.drive, price_usd: 700 }, disks_count: 1 };
    const cheaper = { ...one, replaces: dear };
    expect(said(paybackText(cheaper, swap, FIRST_STATE))).toContain('Its drives cost $70 less.');
    const unpriced = { ...entry('raid5'), replaces: REPLACED };
    expect(paybackText(unpriced, swap, FIRST_STATE)).toContain('is not known: enter it');
    const recorded = paybackText({ ...entry('raid5-ssd'), replaces: REPLACED }, swap, FIRST_STATE);
    expect(recorded).toContain('closed form only');
    expect(paybackText({ ...one, replaces: null }, swap, FIRST_STATE)).toBeNull();
  });
});
