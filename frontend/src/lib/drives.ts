import type { CatalogueEntry } from './types';

/** Drives as the models take them. */

export interface SleepState {
  power_w: number;
  down_j: number;
  down_s: number;
  up_j: number;
  up_s: number;
}

export interface ThreePointSeek {
  kind: 'three_point';
  min_ms: number;
  avg_ms: number;
  max_ms: number;
}

/** Curves other than the data sheet's three points are kept as they come. */
export type Seek = ThreePointSeek | { kind: 'two_regime' | 'table' | 'logical' };

/** A drive's own memory. */
export interface DriveBuffer {
  segments_count: number;
  segment_bytes: number;
  ahead_bytes: number;
  bus_mb_per_s: number;
  writes_behind: boolean;
  whole_tracks: boolean;
}

/** Neighboring cylinders with the same number of sectors per track. */
export interface GeometryZone {
  cylinders_count: number;
  sectors_per_track_count: number;
  spare_sectors_count?: number;
  slipped_sectors?: number[];
}

/** Tracks of a disk, zones from the outside in. */
export interface DiskGeometry {
  surfaces_count: number;
  zones: GeometryZone[];
  head_skew_ms: number;
  cylinder_skew_ms: number;
  follows_angle: boolean;
}

interface AnyDrive {
  name: string;
  capacity_gb: number;
  active_w: number;
  idle_w: number;
  price_usd: number;
  unrecoverable_per_bit: number;
  afr_fraction: number;
}

export interface HardDisk extends AnyDrive {
  kind: 'hdd';
  speed_rpm: number;
  seek: Seek;
  overhead_ms: number;
  outer_mb_per_s: number;
  inner_mb_per_s: number | null;
  /** Left out: as the models take it. */
  write_settle_ms?: number;
  same_cylinder_ms?: number;
  seek_w?: number | null;
  buffer?: DriveBuffer | null;
  geometry?: DiskGeometry | null;
  low_power_idle: SleepState | null;
  standby: SleepState | null;
  start_stop_rating_count: number;
}

export interface SolidState extends AnyDrive {
  kind: 'ssd';
  read_latency_ms: number;
  write_latency_ms: number;
  read_mb_per_s: number;
  write_mb_per_s: number;
  channels_count: number;
  /** Left out: 0, an operation is answered when its channel is done. */
  read_hold_ms?: number;
  write_hold_ms?: number;
  write_w: number | null;
  endurance_tb: number | null;
  /** Left out: of random writes by the host, as data sheets rate it. */
  endurance_of?: 'host' | 'flash';
  spare_fraction?: number | null;
  write_amplification_ratio: number | null;
}

export type Drive = HardDisk | SolidState;

type Values = CatalogueEntry['values'];

function number(values: Values, ...names: string[]): number | null {
  for (const name of names) {
    const value = values[name]?.value;
    if (typeof value === 'number') return value;
  }
  return null;
}

function text(values: Values, ...names: string[]): string {
  for (const name of names) {
    const value = values[name]?.value;
    if (typeof value === 'string') return value.toLowerCase();
  }
  return '';
}

function sleepState(values: Values, prefix: string): SleepState | null {
  const of = (name: string) => number(values, `${prefix}_${name}`);
  const [power_w, down_j, down_s, up_j, up_s] = [
    of('w'),
    of('down_j'),
    of('down_s'),
    of('up_j'),
    of('up_s'),
  ];
  if (power_w === null || down_s === null || up_s === null) return null;
  if (down_j === null || up_j === null) return null;
  return { power_w, down_j, down_s, up_j, up_s };
}

function gigabytes(values: Values): number | null {
  const terabytes = number(values, 'capacity_tb');
  return number(values, 'capacity_gb') ?? (terabytes === null ? null : terabytes * 1000);
}

/** The range in which the simulator's minimum and maximum lie around an average seek. */
function seekOf(values: Values): Seek | null {
  const avg_ms = number(values, 'seek_avg_ms', 'seek_ms');
  if (avg_ms === null) return null;
  const min_ms = number(values, 'seek_min_ms', 'seek_track_ms');
  const max_ms = number(values, 'seek_max_ms', 'seek_full_ms');
  return {
    kind: 'three_point',
    min_ms: min_ms ?? avg_ms / 10,
    avg_ms,
    max_ms: max_ms ?? avg_ms * 2,
  };
}

const list = (values: Values, name: string): number[] | null => {
  const value = values[name]?.value;
  return Array.isArray(value) ? value : null;
};

/** The tracks of a disk, when its zones and surfaces are known. */
function geometryOf(values: Values): DiskGeometry | null {
  const surfaces_count = number(values, 'surfaces_count');
  const cylinders = list(values, 'zone_cylinders_count');
  const sectors = list(values, 'zone_sectors_per_track_count');
  const spares = list(values, 'zone_spare_sectors_count') ?? [];
  if (surfaces_count === null || !cylinders || !sectors) return null;
  const zones = cylinders.map((cylinders_count, index) => ({
    cylinders_count,
    sectors_per_track_count: sectors[index] ?? 0,
    spare_sectors_count: spares[index] ?? 0,
    slipped_sectors: [],
  }));
  return {
    surfaces_count,
    zones,
    head_skew_ms: number(values, 'head_skew_ms') ?? 0,
    cylinder_skew_ms: number(values, 'cylinder_skew_ms') ?? 0,
    follows_angle: false,
  };
}

export interface FromCatalogue {
  kind: Drive['kind'];
  drive: Drive | null;
  /** What the catalogue does not know and the simulator needs. */
  missing: string[];
}

function hardDisk(entry: CatalogueEntry): FromCatalogue {
  const { values } = entry;
  const needed = {
    capacity_gb: gigabytes(values),
    speed_rpm: number(values, 'speed_rpm', 'rpm'),
    seek: seekOf(values),
    outer_mb_per_s: number(values, 'outer_mb_per_s', 'throughput_mb_per_s'),
    active_w: activePower(values),
    idle_w: number(values, 'idle_w'),
  };
  const names = { ...NEEDS, outer_mb_per_s: 'transfer rate' } as Record<string, string>;
  const missing = Object.entries(needed).flatMap(([key, value]) =>
    value === null ? [names[key] ?? key] : [],
  );
  if (missing.length > 0) return { kind: 'hdd', drive: null, missing };
  const drive = {
    kind: 'hdd',
    name: entry.title,
    ...needed,
    overhead_ms: number(values, 'overhead_ms') ?? 0.3,
    inner_mb_per_s: number(values, 'inner_mb_per_s') ?? (needed.outer_mb_per_s ?? 0) / 2,
    seek_w: number(values, 'seek_w'),
    low_power_idle: sleepState(values, 'low_power_idle'),
    standby: sleepState(values, 'standby'),
    geometry: geometryOf(values),
    price_usd: number(values, 'price_usd', 'unit_price_usd') ?? 0,
    start_stop_rating_count:
      number(values, 'load_unload_count', 'start_stop_rating_count') ?? 50_000,
    unrecoverable_per_bit: number(values, 'unrecoverable_per_bit') ?? 1e-14,
    afr_fraction: number(values, 'afr_fraction') ?? 0.017,
  } as HardDisk;
  return { kind: 'hdd', drive, missing };
}

const NEEDS: Record<string, string> = {
  capacity_gb: 'capacity',
  speed_rpm: 'speed',
  seek: 'seek time',
  active_w: 'power at work',
  idle_w: 'idle power',
  read_latency_ms: 'read latency',
  write_latency_ms: 'write latency',
  read_mb_per_s: 'read rate',
  write_mb_per_s: 'write rate',
};

/** Power at work: the mean of reading and writing, where a disk draws more for one of them. */
function activePower(values: Values): number | null {
  const read_w = number(values, 'active_w', 'read_w');
  const write_w = number(values, 'write_w') ?? read_w;
  return read_w === null || write_w === null ? null : (read_w + write_w) / 2;
}

type Way = 'read' | 'write';

function milliseconds(values: Values, way: Way): number | null {
  const micro = number(values, `${way}_latency_us`);
  return number(values, `${way}_latency_ms`) ?? (micro === null ? null : micro / 1000);
}

/** What data sheets call a small request passes at so many MB/s in this number of ms over it. */
export const SMALL_KB = 4.096;
const MOST_CHANNELS = 256;
/** Far below a channel. */
const ROUNDING = 1e-6;

interface Sheet {
  latency_ms: number | null;
  per_s: number | null;
  mb_per_s: number | null;
}

const sheetOf = (values: Values, way: Way): Sheet => ({
  latency_ms: milliseconds(values, way),
  per_s: number(values, `random_${way}_per_s`),
  mb_per_s: number(values, `${way}_mb_per_s`),
});

/** Requests served at once: Little's law on random reads; as worker's `drive/entries.py` has it. */
function channelsOf(reads: Sheet, known: number | null): number {
  if (reads.per_s === null || reads.latency_ms === null) return known ?? 1;
  const atOnce = Math.ceil((reads.per_s * reads.latency_ms) / 1000 - ROUNDING);
  return Math.min(Math.max(atOnce, 1), MOST_CHANNELS);
}

/** Latency less what passes besides; never below zero. */
const alone = (whole_ms: number | null, mb_per_s: number | null) =>
  whole_ms === null || mb_per_s === null ? whole_ms : Math.max(whole_ms - SMALL_KB / mb_per_s, 0);

const rateOf = (sheet: Sheet, channels: number) =>
  sheet.mb_per_s === null ? null : sheet.mb_per_s / channels;

/** Latency before the data, and how long a channel is held; all of them serve as often as is said. */
function timesOf(sheet: Sheet, channels: number): [latency_ms: number | null, hold_ms: number] {
  if (sheet.per_s === null) return [alone(sheet.latency_ms, rateOf(sheet, channels)), 0];
  const hold_ms = (channels * 1000) / sheet.per_s;
  const latency_ms = sheet.latency_ms === null ? null : Math.min(sheet.latency_ms, hold_ms);
  return [alone(latency_ms, sheet.mb_per_s), hold_ms];
}

function solidState(entry: CatalogueEntry): FromCatalogue {
  const { values } = entry;
  const reads = sheetOf(values, 'read');
  const writes = sheetOf(values, 'write');
  const channels = channelsOf(reads, number(values, 'channels_count'));
  const [read_latency_ms, read_hold_ms] = timesOf(reads, channels);
  const [write_latency_ms, write_hold_ms] = timesOf(writes, channels);
  const needed = {
    capacity_gb: gigabytes(values),
    read_latency_ms,
    write_latency_ms,
    read_mb_per_s: rateOf(reads, channels),
    write_mb_per_s: rateOf(writes, channels),
    active_w: number(values, 'active_w', 'read_w'),
    idle_w: number(values, 'idle_w'),
  };
  const missing = Object.entries(needed).flatMap(([key, value]) =>
    value === null ? [NEEDS[key] ?? key] : [],
  );
  if (missing.length > 0) return { kind: 'ssd', drive: null, missing };
  const drive = {
    kind: 'ssd',
    name: entry.title,
    ...needed,
    channels_count: channels,
    read_hold_ms,
    write_hold_ms,
    write_w: number(values, 'write_w'),
    price_usd: number(values, 'price_usd', 'unit_price_usd') ?? 0,
    endurance_tb: number(values, 'endurance_tb'),
    write_amplification_ratio: number(values, 'write_amplification_ratio'),
    unrecoverable_per_bit: number(values, 'unrecoverable_per_bit') ?? 1e-17,
    afr_fraction: number(values, 'afr_fraction') ?? 0.01,
  } as SolidState;
  return { kind: 'ssd', drive, missing };
}

/** A drive of the catalogue as the simulator takes it, or what is not known of it. */
export function driveOf(entry: CatalogueEntry): FromCatalogue {
  const kind = text(entry.values, 'technology', 'drive_kind');
  return /ssd|nvme|flash|solid/.test(kind) ? solidState(entry) : hardDisk(entry);
}
