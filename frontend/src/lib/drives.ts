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

/** What data sheets call a small request passes at so many MB/s in this number of ms over it. */
export const SMALL_KB = 4.096;

export interface FromCatalogue {
  kind: Drive['kind'];
  drive: Drive | null;
  /** What the catalogue does not know and the simulator needs. */
  missing: string[];
}

/** A drive of the catalogue as the models take it, or what is not known of it. */
export function driveOf({ drive }: CatalogueEntry): FromCatalogue {
  if (!drive) return { kind: 'hdd', drive: null, missing: ['a drive'] };
  return { ...drive, kind: drive.kind as Drive['kind'], drive: drive.drive as Drive | null };
}
