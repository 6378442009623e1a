import type { Drive, HardDisk, SolidState } from '../../lib/drives';
import type { TraceRef } from '../../lib/traces';

/** The documents of `storage.array`, as the designer holds them: complete, defaults written out. */

export type {
  DiskGeometry,
  Drive,
  GeometryZone,
  HardDisk,
  Seek,
  SleepState,
  SolidState,
  ThreePointSeek,
} from '../../lib/drives';

export type LayoutKind =
  'single' | 'raid0' | 'raid1' | 'raid10' | 'raid5' | 'raid6' | 'mirrored_set' | 'concatenated';

export interface Layout {
  kind: LayoutKind;
  disks_count: number;
  chunk_bytes: number;
  locked_updates: boolean;
  failed_disk_count: number;
  rebuild_mb_per_s: number | null;
}

export type DispatchKind =
  'primary_first' | 'response_time' | 'shortest_queue' | 'nearest_head' | 'random' | 'round_robin';

export interface Dispatch {
  kind: DispatchKind;
  queue_threshold_count: number;
  response_max_ms: number;
  keep_primary_awake: boolean;
  wake_binding: boolean;
  concurrent_wakes_count: number;
  lazy_writes: boolean;
}

export interface Timeouts {
  low_power_idle_s: number | null;
  standby_s: number | null;
}

export type CacheMode = 'hp08_mirror' | 'write_back' | 'write_through';

export interface CacheTier {
  mode: CacheMode;
  device: SolidState;
  capacity_gb: number;
  block_bytes: number;
  hit_fraction: number | null;
  dirty_max_fraction: number;
}

/** Blocks that are read far away are copied into free space near the head. */
export interface FreeSpaceCopies {
  free_fraction: number;
  epoch_s: number;
  region_bytes: number;
  /** Free space that files come to use, of each disk. */
  files_gb_per_h: number;
}

export interface ArrayDesign {
  drive: Drive;
  layout: Layout;
  dispatch: Dispatch;
  timeouts: Timeouts | null;
  scheduler: 'fcfs' | 'sstf' | 'look' | 'sptf';
  queue_count?: number | null;
  ageing_ratio?: number;
  cache: CacheTier | null;
  copies: FreeSpaceCopies | null;
}

export type Arrivals =
  | { kind: 'exponential'; mean_ms: number }
  | { kind: 'pareto'; mean_ms: number; exponent: number }
  | {
      kind: 'mmpp';
      quiet_mean_ms: number;
      busy_mean_ms: number;
      quiet_stay_ms: number;
      busy_stay_ms: number;
    }
  | { kind: 'closed'; users_count: number; think_ms: number };

export interface Region {
  start_fraction: number;
  end_fraction: number;
  weight_ratio: number;
  stay_fraction: number;
}

export type Addresses =
  | { kind: 'uniform' }
  | { kind: 'zipf'; exponent: number; blocks_count: number; sorted_by_popularity: boolean }
  | { kind: 'regions'; regions: Region[] }
  | { kind: 'sequential'; continue_fraction: number };

/** A size of requests, and how often it occurs against the others. */
export interface SizeShare {
  size_bytes: number;
  weight_ratio: number;
}

export interface SyntheticWorkload {
  kind: 'synthetic';
  arrivals: Arrivals;
  addresses: Addresses;
  requests_count: number;
  read_fraction: number;
  size_bytes: number;
  /** Sizes that occur; empty: all of one size. */
  sizes: SizeShare[];
  /** Sizes of writes; empty: as of reads. */
  write_sizes: SizeShare[];
}

export type Workload = SyntheticWorkload;

/** An array on the page: its letter stays with it, whatever else is added or removed. */
export interface Entry {
  letter: string;
  title: string;
  array: ArrayDesign;
  /** Drives whose place it takes; none of them sleeps. */
  replaces: Replaced | null;
}

export interface Replaced {
  drive: HardDisk;
  disks_count: number;
}

export type CarbonBasis =
  'direct_average' | 'life_cycle_average' | 'direct_marginal' | 'life_cycle_marginal';

/** Where the arrays stand: what energy costs and emits there. */
export interface Site {
  usd_per_kwh: number;
  gco2e_per_kwh: number | null;
  /** What year, grid zone and kind the intensity is of; what is not known is empty. */
  carbon_year: number | null;
  carbon_zone: string | null;
  carbon_basis: CarbonBasis;
  /** Emissions of making one drive. */
  drive_kgco2e: number | null;
}

export interface Replay {
  timing: 'recorded' | 'scaled' | 'closed';
  /** Times between requests over the recorded ones; 0.5 doubles the load. */
  time_ratio: number;
  users_count: number;
  /** Nothing: the recorded gaps. */
  think_ms: number | null;
  devices: 'side_by_side' | 'folded';
}

/** Recorded requests in place of drawn ones. */
export interface Recorded {
  trace: TraceRef;
  title: string;
  requests_count: number;
  /** As recorded, where the summary says it. */
  rate_per_s: number | null;
  replay: Replay;
}

export interface ArraysState {
  entries: Entry[];
  workload: Workload;
  recorded: Recorded | null;
  site: Site;
  replicates_count: number;
  stop_interval_fraction: number;
  seed: number;
}
