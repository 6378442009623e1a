import { FAST, ROWS, said, saturated } from './figures/fixture';
import type { ArrayResult } from './result';
import { tableRows } from './table-rows';

const [disk] = FAST.result.devices;
if (!disk) throw new Error('The fixture has a device.');

const FULL: ArrayResult = {
  ...FAST.result,
  percentile_intervals: [{ percentile_fraction: 0.99, low_ms: 22, high_ms: 24 }],
  devices: [
    { ...disk, mean_queue_count: 0.4, load_unloads_count: 10 },
    { ...disk, name: 'disk 1', mean_queue_count: 1.5, max_queue_count: 9, load_unloads_count: 30 },
  ],
  per_year: {
    energy_kwh: 105,
    energy_usd_per_year: 13,
    capital_usd_per_year: 40,
    mttdl_years: 58.3,
    loss_fraction: 0.05,
  },
};

function cellOf(result: ArrayResult, id: string) {
  return tableRows([{ ...FAST, result }], [])
    .find((row) => row.id === id)
    ?.cells.get('A');
}

describe('the table of results', () => {
  it('says how well each percentile is known', () => {
    expect(said(cellOf(FULL, 'p99_ms')?.note)).toBe('95% interval 22.0–24.0 ms');
    expect(cellOf(FULL, 'p50_ms')?.note).toBeNull();
  });

  it('names the drive with the longest queue, loads of a day, dollars and time to loss', () => {
    expect(cellOf(FULL, 'queue')).toMatchObject({ value: 1.5, note: 'disk 1, at most 9' });
    expect(cellOf(FULL, 'loads')?.value).toBeCloseTo(2592, 6);
    expect(cellOf(FULL, 'usd_per_year')?.value).toBe(53);
    expect(cellOf(FULL, 'mttdl')?.value).toBe(58.3);
    const safe = { ...FULL, per_year: { ...FULL.per_year, mttdl_years: 8_811_205_914 } };
    expect(said(cellOf(safe as ArrayResult, 'mttdl')?.text)).toBe('8.81 billion yr');
  });

  it('leaves out rows that no answer has', () => {
    const ids = [...tableRows(ROWS, []), ...tableRows([saturated(FAST)], [])].map(({ id }) => id);
    for (const id of ['queue', 'loads', 'usd_per_year', 'mttdl']) expect(ids).not.toContain(id);
  });
});
