import { MISSING } from '../../../lib/format';
import { CODE_LINES, PHASE_LINES, type Coded, type Phase } from './clusters';

const responses = { count: 10, mean_ms: 12, p50_ms: 10, p95_ms: 30, p99_ms: 48, p999_ms: 70 };

const phase = {
  phase: 'during',
  read: responses,
  write: null,
  degraded_read_fraction: 0.0833,
  drive_load_fraction: 0.41,
  busiest_drive_fraction: 0.5,
  network_mb_per_s: 910,
  busiest_link_fraction: 0.2,
  code_cores_count: 0.31,
  power_w: 4200,
} as unknown as Phase;

const said = (label: string) =>
  PHASE_LINES.find(([name]) => name === label)?.[1](phase).replace(/\u00a0/g, ' ');

describe('the phases of a rebuild', () => {
  it('have a line for each percentile of reads, and a dash where nothing was written', () => {
    expect(said('Reads, p99')).toBe('48 ms');
    expect(said('Reads without a lost shard')).toBe('8.3%');
    expect(PHASE_LINES.filter(([name]) => name.startsWith('Writes'))).toHaveLength(5);
    expect(said('Writes, p99')).toBe(MISSING);
  });
});

describe('a coded cluster in closed form', () => {
  const coded = {
    raw_tb: 2880,
    usable_tb: 2094.5,
    overhead_ratio: 1.375,
    drive_lost: { recovery_h: 3.1 },
    node_lost: { recovery_h: 20 },
    repair_tb_per_year: 900,
    durability: { object_nines_count: 11.2, loss_fraction_per_year: 0 },
    load: {
      drive_load_fraction: 0.3,
      network_load_fraction: 0.1,
      code_cores_count: 0.2,
      read_mean_ms: 14,
      write_mean_ms: 18,
    },
    power_w: 4100,
    energy_kwh_per_year: 35_900,
    usd_per_usable_tb_year: 21,
  } as unknown as Coded;
  const line = (label: string, of = coded) =>
    CODE_LINES.find(([name]) => name === label)?.[1](of).replace(/\u00a0/g, ' ');

  it('says its space, its repairs and what a TB costs, each with its unit', () => {
    expect(line('Raw space of a byte')).toBe('1.38 ×');
    expect(line('Rebuild of a node')).toBe('20 h');
    expect(line('Usable TB, a year')).toContain('21');
  });

  it('does not round a small chance of loss to nothing, nor writes one that is none', () => {
    const rare = { ...coded, durability: { ...coded.durability, loss_fraction_per_year: 3e-12 } };
    expect(line('Any data lost, chance a year', rare)).toBe('3.0e-12');
    expect(line('Any data lost, chance a year')).toBe('0');
  });
});
