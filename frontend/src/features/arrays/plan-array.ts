import { isObject, type Json, type JsonObject } from '../../lib/pointer';
import { PLAIN, presetOf } from './presets';
import type { ArrayDesign, CacheTier, Drive, LayoutKind } from './types';

const KINDS: Record<string, LayoutKind | undefined> = {
  single: 'single',
  raid0: 'raid0',
  raid1: 'raid1',
  raid10: 'raid10',
  mirrored_sets: 'raid10',
  raid5: 'raid5',
  raid6: 'raid6',
  raid7: 'raid7',
  draid1: 'draid1',
  draid2: 'draid2',
  draid3: 'draid3',
};

/** More are not drawn one by one. */
const MOST_DRAWN = 96;

export interface PlannedArray {
  array: ArrayDesign;
  perGroup: number | null;
  spares: number;
  /** Arrays of this kind; nothing: as many as the demand needs. */
  count: number | null;
}

function whole(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : fallback;
}

function driveOf(value: Json | undefined): Drive {
  const given = isObject(value) ? value : {};
  const known = presetOf(given.kind === 'ssd' ? 'nvme' : 'laptops').array.drive;
  return { ...known, ...given } as Drive;
}

function cacheOf(value: Json | undefined): CacheTier | null {
  const { cache } = presetOf('raid5-ssd').array;
  if (!isObject(value) || !cache) return null;
  const device = isObject(value.device) ? value.device : {};
  const size = typeof device.capacity_gb === 'number' ? device.capacity_gb : cache.capacity_gb;
  const mode = value.write_back === false ? 'write_through' : 'write_back';
  return { ...cache, mode, capacity_gb: size * whole(value.count, 1) };
}

function groupOf(array: JsonObject): number | null {
  if (array.layout === 'raid1') return null;
  return typeof array.disks_per_group === 'number' ? array.disks_per_group : null;
}

/** The array of a study's design as it can be drawn, also from a draft; else nothing. */
export function plannedArray(array: Json | undefined): PlannedArray | null {
  // A cluster with a code is no array, whatever its layout says.
  if (!isObject(array) || isObject(array.code)) return null;
  const disks = whole(array.disks_count, 0);
  const kind = KINDS[String(array.layout ?? 'raid5')];
  const spares = whole(array.spares_count, 0);
  if (!kind || disks < 1 || disks + spares > MOST_DRAWN) return null;
  const layout = { ...PLAIN.layout, kind, disks_count: kind === 'single' ? 1 : disks };
  const policy = isObject(array.power_policy) ? array.power_policy.kind : null;
  const timeouts = policy === 'threshold' ? { low_power_idle_s: null, standby_s: null } : null;
  const drawn = {
    ...PLAIN,
    drive: driveOf(array.drive),
    layout,
    timeouts,
    cache: cacheOf(array.cache),
  };
  const perGroup = array.layout === 'mirrored_sets' ? (groupOf(array) ?? disks) : groupOf(array);
  const count = array.count === null ? null : whole(array.count, 1);
  return { array: drawn, perGroup, spares, count };
}
