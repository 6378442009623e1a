import {
  BARRACUDA_500,
  MTRON_3035,
  EXOS_X24,
  PM1743,
  TRAVELSTAR_7K60,
  ULTRASTAR_15K73,
} from './drives';
import type {
  Addresses,
  ArrayDesign,
  ArraysState,
  Arrivals,
  CacheTier,
  Drive,
  Dispatch,
  Entry,
  FreeSpaceCopies,
  Layout,
  LayoutKind,
  Replaced,
  Replay,
  Site,
  SyntheticWorkload,
} from './types';

export const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F'] as const;

const LAYOUT: Layout = {
  kind: 'single',
  disks_count: 1,
  stripe_disks_count: 10,
  distributed_spares_count: 2,
  chunk_bytes: 65_536,
  locked_updates: false,
  failed_disk_count: 0,
  rebuild_mb_per_s: null,
  spares_sleep: false,
};

/** Held as in the model's checks of these rows. */
const HELD: Layout = { ...LAYOUT, kind: 'raid5', disks_count: 4, locked_updates: true };

const DISPATCH: Dispatch = {
  kind: 'primary_first',
  queue_threshold_count: 3,
  response_max_ms: 50,
  keep_primary_awake: true,
  wake_binding: false,
  concurrent_wakes_count: 1,
  lazy_writes: false,
};

export const CACHE: CacheTier = {
  mode: 'hp08_mirror',
  device: MTRON_3035,
  capacity_gb: 32,
  block_bytes: 4096,
  hit_fraction: null,
  dirty_max_fraction: 0.7,
};

export const COPIES: FreeSpaceCopies = {
  free_fraction: 0.4,
  epoch_s: 60,
  region_bytes: 536_870_912,
  files_gb_per_h: 0,
};

function array(
  drive: Drive,
  kind: LayoutKind,
  disks: number,
  more: Partial<ArrayDesign> = {},
): ArrayDesign {
  return {
    drive,
    layout: { ...LAYOUT, kind, disks_count: disks },
    dispatch: DISPATCH,
    timeouts: null,
    scheduler: 'fcfs',
    queue_count: null,
    ageing_ratio: 0,
    cache: null,
    controller: null,
    copies: null,
    ...more,
  };
}

export const BREAK_EVEN_TIMEOUTS = { low_power_idle_s: null, standby_s: null };

export const REPLAY: Replay = {
  timing: 'recorded',
  time_ratio: 1,
  users_count: 1,
  think_ms: null,
  devices: 'side_by_side',
};

/** The swap of the paper: what three laptop disks stand for. */
export const REPLACED: Replaced = { drive: ULTRASTAR_15K73, disks_count: 1 };

export interface Preset {
  id: string;
  title: string;
  about: string;
  array: ArrayDesign;
  replaces?: Replaced;
  /** Set with it, where the idea lies in what reaches the disks. */
  workload?: SyntheticWorkload;
}

export const PRESETS: readonly Preset[] = [
  {
    id: 'server',
    title: 'One server disk',
    about: 'TR 837, 2004: the disk that three laptop disks stand for',
    array: array(ULTRASTAR_15K73, 'single', 1),
  },
  {
    id: 'laptops',
    title: 'Three laptop disks that sleep',
    about: 'TR 837, 2004: mirrored, the next one is used from 3 requests on',
    array: array(TRAVELSTAR_7K60, 'mirrored_set', 3, { timeouts: BREAK_EVEN_TIMEOUTS }),
    replaces: REPLACED,
  },
  {
    id: 'raid5',
    title: 'RAID-5 of four disks',
    about: 'HotPower 2008: without its cache',
    array: array(BARRACUDA_500, 'raid5', 4, { layout: HELD }),
  },
  {
    id: 'raid5-ssd',
    title: 'RAID-5 of four, SSD buffer',
    about: 'HotPower 2008: a mirrored write buffer above the disks',
    array: array(BARRACUDA_500, 'raid5', 4, { layout: HELD, cache: CACHE }),
  },
  {
    id: 'nvme',
    title: 'All flash, four NVMe',
    about: 'Today: RAID-10 of Samsung PM1743, 7.68 TB',
    array: array(PM1743, 'raid10', 4, {
      dispatch: { ...DISPATCH, kind: 'shortest_queue' },
      layout: { ...LAYOUT, kind: 'raid10', disks_count: 4 },
    }),
  },
  {
    id: 'hybrid',
    title: 'Hybrid, RAID-6 of eight',
    about: 'Today: Exos X24, 24 TB, behind an NVMe cache',
    array: array(EXOS_X24, 'raid6', 8, {
      cache: {
        ...CACHE,
        mode: 'write_back',
        device: PM1743,
        capacity_gb: 800,
        hit_fraction: 0.8,
      },
    }),
  },
];

export const ARRIVALS: { [K in Arrivals['kind']]: Extract<Arrivals, { kind: K }> } = {
  exponential: { kind: 'exponential', mean_ms: 10 },
  pareto: { kind: 'pareto', mean_ms: 10, exponent: 1.5 },
  mmpp: {
    kind: 'mmpp',
    quiet_mean_ms: 100,
    busy_mean_ms: 5,
    quiet_stay_ms: 60_000,
    busy_stay_ms: 5_000,
  },
  closed: { kind: 'closed', users_count: 8, think_ms: 0 },
};

export const ADDRESSES: { [K in Addresses['kind']]: Extract<Addresses, { kind: K }> } = {
  uniform: { kind: 'uniform' },
  zipf: { kind: 'zipf', exponent: 0.9, blocks_count: 1_000_000, sorted_by_popularity: false },
  regions: {
    kind: 'regions',
    regions: [
      { start_fraction: 0, end_fraction: 0.1, weight_ratio: 8, stay_fraction: 0 },
      { start_fraction: 0.1, end_fraction: 1, weight_ratio: 2, stay_fraction: 0 },
    ],
  },
  sequential: { kind: 'sequential', continue_fraction: 0.9 },
};

export const WORKLOAD: SyntheticWorkload = {
  kind: 'synthetic',
  arrivals: { kind: 'exponential', mean_ms: 50 },
  addresses: ADDRESSES.uniform,
  requests_count: 1_000_000,
  read_fraction: 1,
  size_bytes: 8192,
  sizes: [],
  write_sizes: [],
};

/** The plan's own price of energy, and Ember's intensity of the United States in 2024. */
export const SITE: Site = {
  usd_per_kwh: 0.1301,
  gco2e_per_kwh: 383.55,
  carbon_year: 2024,
  carbon_zone: 'United States',
  carbon_basis: 'life_cycle_average',
  drive_kgco2e: null,
};

export function entryOf(preset: Preset, letter: string): Entry {
  const { title, array, replaces = null } = preset;
  return { letter, title, array, replaces };
}

/** What the page opens with: the comparison of the paper. */
export const FIRST_STATE: ArraysState = {
  entries: PRESETS.slice(0, 2).map((preset, at) => entryOf(preset, LETTERS[at] ?? 'A')),
  workload: WORKLOAD,
  recorded: null,
  site: SITE,
  replicates_count: 1,
  stop_interval_fraction: 0,
  seed: 1,
};

/** The first letter that no array has; none when the page is full. */
export function freeLetter(entries: readonly Entry[]): string | undefined {
  return LETTERS.find((letter) => entries.every((entry) => entry.letter !== letter));
}

/** The page with one array of one drive, as found elsewhere. */
export function stateOfDrive(drive: Drive): ArraysState {
  const entry = {
    letter: LETTERS[0],
    title: drive.name,
    array: array(drive, 'single', 1),
    replaces: null,
  };
  return { ...FIRST_STATE, entries: [entry] };
}
