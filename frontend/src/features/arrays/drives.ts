import { SMALL_KB } from '../../lib/drives';
import type { Drive, HardDisk, SolidState } from './types';

const SERVER_PER_BIT = 1e-15;

/** As the models take a disk whose tracks, cache and costs of requests are not known. */
export const PLAIN_DISK = {
  kind: 'hdd',
  write_settle_ms: 0,
  same_cylinder_ms: 0,
  seek_w: null,
  buffer: null,
  geometry: null,
  measured: null,
  on_sale: false,
} as const;

const PLAIN_FLASH = {
  fill_fraction: null,
  block_bytes: 16_777_216,
  move_step_ms: 2,
  slc: null,
  dies: null,
  kind: 'ssd',
  read_hold_ms: 0,
  write_hold_ms: 0,
  write_w: null,
  endurance_of: 'host',
  spare_fraction: null,
  write_amplification_ratio: null,
  on_sale: false,
} as const;

/** The drives of the presets; each figure's source is in the catalogue entry of that name. */
export const ULTRASTAR_15K73: HardDisk = {
  ...PLAIN_DISK,
  name: 'Ultrastar 15K73',
  capacity_gb: 73.9,
  speed_rpm: 15_037,
  seek: { kind: 'three_point', min_ms: 0.6, avg_ms: 3.9, max_ms: 7.5 },
  overhead_ms: 0.3414,
  outer_mb_per_s: 129,
  inner_mb_per_s: null,
  active_w: 15.6,
  idle_w: 12,
  low_power_idle: null,
  standby: null,
  price_usd: 195,
  start_stop_rating_count: 50_000,
  unrecoverable_per_bit: SERVER_PER_BIT,
  afr_fraction: 0.017,
};

export const TRAVELSTAR_7K60: HardDisk = {
  ...PLAIN_DISK,
  name: 'Travelstar 7K60',
  capacity_gb: 60,
  speed_rpm: 7200,
  seek: { kind: 'three_point', min_ms: 1, avg_ms: 10, max_ms: 16 },
  overhead_ms: 0.3,
  outer_mb_per_s: 48,
  inner_mb_per_s: null,
  active_w: 2.5,
  idle_w: 2,
  low_power_idle: { power_w: 0.85, down_j: 2.15, down_s: 0.85, up_j: 1.45, up_s: 0.53 },
  standby: { power_w: 0.25, down_j: 2.94, down_s: 1.25, up_j: 9, up_s: 3 },
  price_usd: 210,
  start_stop_rating_count: 300_000,
  unrecoverable_per_bit: 1e-14,
  afr_fraction: 0.017,
};

export const BARRACUDA_500: HardDisk = {
  ...PLAIN_DISK,
  name: 'Barracuda ST3500320AS',
  capacity_gb: 500,
  speed_rpm: 7200,
  seek: { kind: 'three_point', min_ms: 0.8, avg_ms: 8.5, max_ms: 16 },
  overhead_ms: 0.3,
  outer_mb_per_s: 85,
  inner_mb_per_s: null,
  active_w: 11.16,
  idle_w: 7.96,
  low_power_idle: null,
  standby: { power_w: 0.8, down_j: 10, down_s: 1.5, up_j: 150, up_s: 10 },
  price_usd: 0,
  start_stop_rating_count: 50_000,
  unrecoverable_per_bit: 1e-14,
  afr_fraction: 0.017,
};

export const MTRON_3035: SolidState = {
  ...PLAIN_FLASH,
  name: 'Mtron MSD-SATA3035',
  capacity_gb: 32,
  read_latency_ms: 0.1,
  write_latency_ms: 0.2,
  read_mb_per_s: 100,
  write_mb_per_s: 80,
  channels_count: 1,
  active_w: 2.43,
  idle_w: 0.5,
  price_usd: 0,
  endurance_tb: 3200,
  endurance_of: 'flash',
  unrecoverable_per_bit: 1e-17,
  afr_fraction: 0.01,
};

/** Of today, as the catalogue has them. */
export const PM1743: SolidState = {
  ...PLAIN_FLASH,
  name: 'Samsung PM1743 7.68 TB',
  capacity_gb: 7680,
  read_latency_ms: 0.07 - SMALL_KB / 14_000,
  write_latency_ms: 0.012 - SMALL_KB / 6000,
  read_mb_per_s: 80,
  write_mb_per_s: 6000 / 175,
  channels_count: 175,
  read_hold_ms: 0.07,
  write_hold_ms: 0.625,
  active_w: 21,
  write_w: 23,
  idle_w: 6,
  price_usd: 1000,
  endurance_tb: 14_016,
  unrecoverable_per_bit: 1e-17,
  afr_fraction: 0.01,
};

export const EXOS_X24: HardDisk = {
  ...PLAIN_DISK,
  name: 'Seagate Exos X24 24 TB',
  capacity_gb: 24_000,
  speed_rpm: 7200,
  seek: { kind: 'three_point', min_ms: 0.6, avg_ms: 8.2, max_ms: 17 },
  overhead_ms: 0.3,
  outer_mb_per_s: 285,
  inner_mb_per_s: 135,
  active_w: 7.65,
  idle_w: 6.3,
  low_power_idle: null,
  standby: { power_w: 1, down_j: 10, down_s: 2, up_j: 300, up_s: 20 },
  price_usd: 479.99,
  start_stop_rating_count: 600_000,
  unrecoverable_per_bit: SERVER_PER_BIT,
  afr_fraction: 0.01,
};

export const KNOWN_DRIVES: readonly Drive[] = [
  ULTRASTAR_15K73,
  TRAVELSTAR_7K60,
  BARRACUDA_500,
  MTRON_3035,
  PM1743,
  EXOS_X24,
];
