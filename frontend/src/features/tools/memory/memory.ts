import { money, quantity, range } from '../../../lib/format';
import { moduleSheet } from '../../../lib/memory-modules';
import type { Json, JsonObject } from '../../../lib/pointer';
import type { CatalogueEntry } from '../../../lib/types';

export const MEMORY_MODEL = 'memory.idle_capacity';

export type Policy = 'ready' | 'power_down' | 'aggregate' | 'remove';

export const POLICY_NAMES: Record<Policy, string> = {
  ready: 'Always ready',
  power_down: 'Power-down',
  aggregate: 'Gathered on few ranks',
  remove: 'Modules left out',
};

export const MODULES = [
  { value: 'ddr4_3200_rdimm_32', label: '32 GB DDR4-3200 RDIMM' },
  { value: 'ddr4_3200_rdimm_16', label: '16 GB DDR4-3200 RDIMM' },
  { value: 'ddr4_3200_lrdimm_64', label: '64 GB DDR4-3200 LRDIMM' },
  { value: 'ddr4_2400_rdimm_32', label: '32 GB DDR4-2400 RDIMM' },
  { value: 'ddr4_2400_udimm_16', label: '16 GB DDR4-2400 ECC UDIMM' },
  { value: 'ddr3l_1600_rdimm_16', label: '16 GB DDR3L-1600 RDIMM' },
  { value: 'typed', label: 'DDR5, or by its data sheet' },
] as const;

/** Currents of a data sheet; without all of them watts stay unknown. */
export const CURRENTS = [
  { key: 'idd0_ma', label: 'IDD0, rows opened and closed' },
  { key: 'idd2n_ma', label: 'IDD2N, standby' },
  { key: 'idd2p_ma', label: 'IDD2P, power-down' },
  { key: 'idd3n_ma', label: 'IDD3N, a row open' },
  { key: 'idd4r_ma', label: 'IDD4R, reading' },
  { key: 'idd4w_ma', label: 'IDD4W, writing' },
  { key: 'idd5b_ma', label: 'IDD5B, refreshing' },
  { key: 'idd6n_ma', label: 'IDD6N, self-refresh' },
] as const;

export type Current = (typeof CURRENTS)[number]['key'];

export interface Causes {
  standby_w: number;
  powerdown_w: number;
  self_refresh_w: number;
  refresh_w: number;
  register_w: number;
  traffic_w: number;
}

export interface PolicyAnswer {
  policy: Policy;
  average_w: number | null;
  average_p10_w: number | null;
  average_p90_w: number | null;
  saving_w: number | null;
  saving_kwh_per_year: number | null;
  saving_usd_per_year: number | null;
  saving_p10_usd_per_year: number | null;
  saving_p90_usd_per_year: number | null;
  /** Of one server. */
  causes: Causes | null;
}

export interface CoresAnswer {
  cores_count: number;
  awake_ranks_fraction: number;
  saving_w: number | null;
}

export interface MemoryAnswer {
  idle_gib: number;
  idle_p10_gib: number;
  idle_p90_gib: number;
  spare_gib: number;
  spare_modules_count: number;
  modules_count: number;
  avoided_usd: number;
  avoided_p10_usd: number;
  avoided_p90_usd: number;
  policies: PolicyAnswer[];
  cores: CoresAnswer[];
  reason: string | null;
  warnings: string[];
}

export type MemoryPart = 'idle' | 'policies' | 'module';

export interface MemoryState {
  part: MemoryPart;
  /** The questions about policies and modules, as their models take them. */
  mode: 'instant' | 'simulated';
  instant: JsonObject;
  simulated: JsonObject;
  module_power: JsonObject;
  servers: number;
  installed_gib: number;
  used_low: number;
  used_mode: number;
  used_high: number;
  headroom: number;
  module: string;
  sheet_gib: number;
  sheet_ranks: number;
  sheet_devices: number;
  sheet_v: number;
  /** Of one device; what is not there is unknown. */
  sheet_ma: Partial<Record<Current, number>>;
  /** What else the catalogue says of the module that was taken from it. */
  sheet_more: JsonObject;
  price_low: number;
  price_mode: number;
  price_high: number;
  channels: number;
  spread: boolean;
  traffic: number;
  cores: number;
  process_ranks: number;
  /** Ranks kept awake for buffers of devices and for the kernel. */
  always_on_ranks: number;
  wake_all_per_s: number;
  electricity: number;
  pue: number;
}

export const MEMORY_START: MemoryState = {
  part: 'idle',
  mode: 'instant',
  instant: {},
  simulated: {},
  module_power: {},
  servers: 1,
  installed_gib: 1024,
  used_low: 410,
  used_mode: 512,
  used_high: 614,
  headroom: 0.2,
  module: 'ddr4_3200_rdimm_32',
  sheet_gib: 64,
  sheet_ranks: 2,
  sheet_devices: 20,
  sheet_v: 1.1,
  sheet_ma: {},
  sheet_more: {},
  price_low: 129,
  price_mode: 250,
  price_high: 500,
  channels: 8,
  spread: false,
  traffic: 20_000,
  cores: 64,
  process_ranks: 4,
  always_on_ranks: 2,
  wake_all_per_s: 0.2,
  electricity: 0.1,
  pue: 1.5,
};

/** Three values in order: a likely value past an end takes the end with it. */
function spreadOf(unit: string, low: number, mode: number, high: number): JsonObject {
  return {
    [`low_${unit}`]: Math.min(low, mode),
    [`mode_${unit}`]: mode,
    [`high_${unit}`]: Math.max(high, mode),
  };
}

/** A module of the catalogue in place of the one that was typed. */
export function sheetTaken(entry: CatalogueEntry, state: MemoryState): Partial<MemoryState> {
  const { capacity_gib, ranks_count, devices_per_rank_count, supply_v, ...rest } =
    moduleSheet(entry);
  const or = (value: Json | undefined, otherwise: number) =>
    typeof value === 'number' ? value : otherwise;
  const isCurrent = (name: string) => CURRENTS.some(({ key }) => key === name);
  const parted = Object.entries(rest).filter(([, value]) => value !== null);
  return {
    module: 'typed',
    sheet_gib: or(capacity_gib, state.sheet_gib),
    sheet_ranks: or(ranks_count, state.sheet_ranks),
    sheet_devices: or(devices_per_rank_count, state.sheet_devices),
    sheet_v: or(supply_v, state.sheet_v),
    sheet_ma: Object.fromEntries(parted.filter(([name]) => isCurrent(name))),
    sheet_more: Object.fromEntries(parted.filter(([name]) => !isCurrent(name))),
  };
}

function sheetOf(state: MemoryState): JsonObject {
  return {
    kind: 'typed',
    title: 'Your module',
    generation: state.sheet_v < 1.15 ? 'ddr5' : 'ddr4',
    ...state.sheet_more,
    capacity_gib: state.sheet_gib,
    ranks_count: state.sheet_ranks,
    devices_per_rank_count: state.sheet_devices,
    supply_v: state.sheet_v,
    ...state.sheet_ma,
  };
}

export function memoryParams(state: MemoryState): JsonObject {
  return {
    servers_count: state.servers,
    layout: {
      installed_gib: state.installed_gib,
      headroom_fraction: state.headroom,
      interleaved_channels_count: state.channels,
      ranks_interleaved: state.spread,
      always_on_ranks_count: state.always_on_ranks,
      wake_all_per_s: state.wake_all_per_s,
    },
    used: spreadOf('gib', state.used_low, state.used_mode, state.used_high),
    module: state.module === 'typed' ? sheetOf(state) : { kind: 'known', name: state.module },
    module_price: spreadOf('usd', state.price_low, state.price_mode, state.price_high),
    traffic: spreadOf('mb_per_s', state.traffic / 4, state.traffic, state.traffic * 3),
    electricity: spreadOf(
      'usd_per_kwh',
      state.electricity * 0.6,
      state.electricity,
      state.electricity * 2,
    ),
    pue: state.pue,
    cores_count: state.cores,
    process_ranks_count: state.process_ranks,
  };
}

/** Gibibytes and dollars of modules: what a planner buys. */
export function memorySentence(answer: MemoryAnswer): string {
  const idle = `**${quantity(answer.idle_gib, 'GiB')} stand idle**`;
  if (answer.spare_modules_count === 0) {
    return `${idle}, but with the headroom no whole set of modules can be left out.`;
  }
  const money_range = range(answer.avoided_p10_usd, answer.avoided_p90_usd, 'USD');
  return (
    `${idle}: ${answer.spare_modules_count.toLocaleString('en-GB')} of ` +
    `${answer.modules_count.toLocaleString('en-GB')} modules, ${quantity(answer.spare_gib, 'GiB')}, ` +
    `**need not be bought: ${money(answer.avoided_usd)}** (${money_range} in eight of ten cases).`
  );
}

/** Watts come second. */
export function wattsSentence(answer: MemoryAnswer): string {
  if (answer.reason !== null) return answer.reason;
  const of = (policy: Policy) => answer.policies.find((row) => row.policy === policy);
  const [down, gathered, removed] = [of('power_down'), of('aggregate'), of('remove')];
  return (
    `Power-down saves ${quantity(down?.saving_w, 'W')}, gathering what is used on few ranks ` +
    `${quantity(gathered?.saving_w, 'W')}, leaving the modules out ${quantity(removed?.saving_w, 'W')}: ` +
    `${quantity(removed?.saving_kwh_per_year, 'kWh')} or ${money(removed?.saving_usd_per_year)} a year.`
  );
}
