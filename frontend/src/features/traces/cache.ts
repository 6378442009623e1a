import type { Json, JsonObject } from '../../lib/pointer';
import { traceRef, type Trace } from '../../lib/traces';

export const CACHE_MODEL = 'storage.ssd_cache';

export interface CacheState {
  layout: string;
  disks_count: number;
  mode: string;
  life_years: number;
  /** Of one drive; empty: as the model's own drive has it. */
  capacity_gb: number | null;
  endurance_tb: number | null;
  price_usd: number | null;
}

export const CACHE_START: CacheState = {
  layout: 'raid5',
  disks_count: 4,
  mode: 'hp08_mirror',
  life_years: 5,
  capacity_gb: null,
  endurance_tb: null,
  price_usd: null,
};

export const CACHE_LAYOUTS = [
  { value: 'raid5', label: 'RAID-5, one parity' },
  { value: 'raid0', label: 'RAID-0, striped' },
  { value: 'mirrored_set', label: 'Mirrored set' },
] as const;

export const CACHE_WRITES = [
  { value: 'hp08_mirror', label: 'In the cache and plainly on one disk' },
  { value: 'write_back', label: 'In the cache, to the disks once a day' },
  { value: 'write_through', label: 'In the cache and on the disks at once' },
] as const;

/** What the advisor is asked of a trace; the model's own drive fills what is left empty. */
export function cacheParams(trace: Trace, state: CacheState, device: JsonObject): JsonObject {
  const { capacity_gb, endurance_tb, price_usd, ...asked } = state;
  const typed = Object.entries({ capacity_gb, endurance_tb, price_usd }).filter(
    ([, value]) => value !== null,
  ) as [string, Json][];
  return {
    ...asked,
    demand: { kind: 'trace', trace: traceRef(trace) as unknown as JsonObject },
    ...(typed.length > 0
      ? { device: { ...device, name: 'Your drive', ...Object.fromEntries(typed) } }
      : {}),
  };
}
