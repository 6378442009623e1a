// @vitest-environment jsdom
import { withTraceWork, type TraceWork } from '../../lib/trace-work';
import type { Trace } from '../../lib/traces';
import { readSizes } from './machine-sizes';

describe('sizes of machines as typed', () => {
  it('reads cores, RAM with its unit, and machines of another size', () => {
    const { sizes, faults } = readSizes({
      cores: '64',
      ram: '0.5 TiB',
      others: 'db-1, 128, 2 TiB\n\nweb-9;8\n',
    });
    expect(faults.others).toEqual([]);
    expect(sizes).toEqual({
      cores_per_machine_count: 64,
      ram_per_machine_gib: 512,
      machines: [
        { name: 'db-1', cores_count: 128, ram_gib: 2048 },
        { name: 'web-9', cores_count: 8, ram_gib: null },
      ],
    });
  });

  it('says all that is wrong at once, with its line', () => {
    const { sizes, faults } = readSizes({ cores: '', ram: 'much', others: 'a,0\n,4\nb,4,x' });
    expect(sizes).toBeNull();
    expect(faults.cores).toContain('number of cores');
    expect(faults.ram).toContain('more than 0');
    expect(faults.others.map((one) => one.slice(0, 7))).toEqual(['Line 1:', 'Line 2:', 'Line 3:']);
  });
});

const found = {
  machines_count: 2,
  cores_count: 32,
  busy_cores_mean_count: 10,
  busy_cores_p99_count: 18,
  p99_ratio: 1.8,
  shape: 'hour_of_day',
  shape_ratio: Array.from({ length: 24 }, () => 1),
  ram_installed_gib: 128,
  ram_mean_gib: null,
  ram_p99_gib: null,
  cores_growth: null,
  ram_growth: null,
  duration_h: 24,
  step_s: 300,
  warnings: [],
} as unknown as TraceWork;
const trace = {
  title: 'Web fleet',
  file_name: 'web.csv',
  created_at: '2026-11-22T10:00:00Z',
  summary: { start_s: 1_762_128_000, duration_s: 86_400 },
} as unknown as Trace;

describe('a workload from a trace', () => {
  it('keeps what the trace does not say, and its origin', () => {
    const typed = { quality: 'typed', source: 'Typed in' };
    const held = {
      workload: { kind: 'demand', ram_gib: 64, block_tb: 5, busy_cores_count: 1 },
      workload_provenance: { '/ram_gib': typed, '/block_tb': typed, '/busy_cores_count': typed },
    } as never;
    const work = withTraceWork(held, found, trace, '12345678-0');
    expect(work.workload).toMatchObject({ ram_gib: 64, block_tb: 5, busy_cores_count: 10 });
    expect(work.workload_provenance['/ram_gib']).toBe(typed);
    expect(work.workload_provenance['/busy_cores_count']).toMatchObject({
      quality: 'measured',
      source: 'Trace Web fleet, web.csv, 4 Nov 2025',
      as_of: '2025-11-04',
    });
  });

  it('leaves RAM out where nobody knows it, and takes a range where the trace does', () => {
    const empty = { workload: {}, workload_provenance: {} };
    expect(withTraceWork(empty, found, trace, 'x').workload.ram_gib).toBeUndefined();
    const known = withTraceWork(
      empty,
      { ...found, ram_mean_gib: 100, ram_p99_gib: 120 },
      trace,
      'x',
    );
    expect(known.workload.ram_gib).toBe(100);
    expect(known.workload_provenance['/ram_gib']).toMatchObject({ low: 100, high: 120 });
  });

  it('takes growth from the trace, but none in place of what somebody entered', () => {
    const of = {
      fraction_per_year: 0.2,
      low_fraction_per_year: 0.15,
      high_fraction_per_year: 0.25,
    };
    const grown = { ...found, cores_growth: of, ram_growth: of };
    const at = '/growth/cores_fraction_per_year';
    const held = {
      workload: { kind: 'demand', growth: { ram_fraction_per_year: 0.1 } },
      workload_provenance: { '/growth/ram_fraction_per_year': { quality: 'typed' } },
    } as never;
    const work = withTraceWork(held, grown, trace, 'x');
    expect(work.workload.growth).toEqual({
      cores_fraction_per_year: 0.2,
      ram_fraction_per_year: 0.1,
    });
    expect(work.workload_provenance[at]).toMatchObject({ low: 0.15, high: 0.25 });
    expect(work.workload_provenance['/growth/ram_fraction_per_year']).toEqual({
      quality: 'typed',
    });
    const later = { ...grown, cores_growth: { ...of, fraction_per_year: 0.3 } };
    expect(withTraceWork(work, later, trace, 'y').workload.growth).toMatchObject({
      cores_fraction_per_year: 0.3,
    });
  });
});
