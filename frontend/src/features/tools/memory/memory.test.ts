import type { CatalogueEntry } from '../../../lib/types';
import { memoryPower } from './memory-figure';
import {
  MEMORY_START,
  memoryParams,
  memorySentence,
  sheetTaken,
  wattsSentence,
  type MemoryAnswer,
  type Policy,
} from './memory';

const causes = {
  standby_w: 10,
  powerdown_w: 5,
  self_refresh_w: 1,
  refresh_w: 2,
  register_w: 3,
  traffic_w: 4,
};

function answer(change: Partial<MemoryAnswer> = {}): MemoryAnswer {
  const row = (policy: Policy, saving_w: number) => ({
    policy,
    average_w: 25,
    average_p10_w: 20,
    average_p90_w: 30,
    saving_w,
    saving_kwh_per_year: saving_w * 13,
    saving_usd_per_year: saving_w * 1.3,
    saving_p10_usd_per_year: saving_w,
    saving_p90_usd_per_year: saving_w * 2,
    causes,
  });
  return {
    idle_gib: 512,
    idle_p10_gib: 456,
    idle_p90_gib: 568,
    spare_gib: 256,
    spare_modules_count: 8,
    modules_count: 32,
    avoided_usd: 2000,
    avoided_p10_usd: 1570,
    avoided_p90_usd: 3260,
    policies: [row('ready', 0), row('power_down', 8), row('aggregate', 13), row('remove', 23)],
    cores: [],
    reason: null,
    warnings: [],
    ...change,
  };
}

describe('idle memory', () => {
  test('is said in gibibytes and dollars first', () => {
    expect(memorySentence(answer())).toMatch(
      /^\*\*512\sGiB stand idle\*\*: 8 of 32 modules, 256\sGiB, \*\*need not be bought: \$2/u,
    );
  });

  test('says when no set of modules can be left out', () => {
    expect(memorySentence(answer({ spare_modules_count: 0 }))).toContain('no whole set');
  });

  test('says why watts are unknown, and draws none', () => {
    const rows = answer().policies.map((row) => ({ ...row, causes: null, average_w: null }));
    const unknown = answer({ reason: 'The currents are not known.', policies: rows });
    expect(wattsSentence(unknown)).toBe('The currents are not known.');
    expect(memoryPower(unknown, { theme: 'light', narrow: false })).toBeNull();
  });

  test('draws bars that add up to the power', () => {
    const figure = memoryPower(answer(), { theme: 'light', narrow: false });
    const bars = figure?.data.map((trace) => Number((trace.x as number[])[0])) ?? [];
    expect(bars.reduce((sum, part) => sum + part, 0)).toBe(25);
  });

  test('asks about a typed data sheet with the currents that are there', () => {
    const params = memoryParams({ ...MEMORY_START, module: 'typed', sheet_ma: { idd2n_ma: 90 } });
    expect(params.module).toMatchObject({ kind: 'typed', generation: 'ddr5', idd2n_ma: 90 });
    expect(params.module).not.toHaveProperty('idd6n_ma');
  });

  test('says which ranks devices and the kernel keep awake', () => {
    const params = memoryParams({ ...MEMORY_START, always_on_ranks: 5, wake_all_per_s: 3 });
    expect(params.layout).toMatchObject({ always_on_ranks_count: 5, wake_all_per_s: 3 });
  });

  test('keeps low, likely and high in order', () => {
    const params = memoryParams({ ...MEMORY_START, used_mode: 900 });
    expect(params.used).toEqual({ low_gib: 410, mode_gib: 900, high_gib: 900 });
  });
});

test('a module of the catalogue is asked about by its data sheet, whatever was typed before', () => {
  const values = {
    generation: { value: 'ddr4' },
    currents_of: { value: 'module' },
    capacity_gib: { value: 16 },
    ranks_count: { value: 1 },
    supply_v: { value: 1.2 },
    speed_mt_per_s: { value: 2133 },
    pump_ma: { value: 3 },
    idd0_ma: { value: 900 },
  };
  const entry = { title: '16 GB module', values } as unknown as CatalogueEntry;
  const state = { ...MEMORY_START, sheet_ma: { idd6n_ma: 30 } };
  const taken = { ...state, ...sheetTaken(entry, state) };
  const { module } = memoryParams(taken);
  expect(module).toEqual({
    kind: 'typed',
    title: '16 GB module',
    generation: 'ddr4',
    currents_of: 'module',
    capacity_gib: 16,
    ranks_count: 1,
    devices_per_rank_count: 20,
    supply_v: 1.2,
    pump_ma: 3,
    pump_asleep_ma: 3,
    burst_ns: 3.751,
    idd0_ma: 900,
  });
});
