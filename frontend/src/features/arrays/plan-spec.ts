import type { JsonObject } from '../../lib/pointer';
import type { ArrayResult, Outlook } from './result';
import type { ArrayDesign, ArraysState, CacheTier, LayoutKind, Timeouts } from './types';
import { isDeclustered } from './words';

type Asked = Pick<ArraysState, 'workload' | 'recorded'>;

const LAYOUTS: Record<LayoutKind, string> = {
  single: 'single',
  raid0: 'raid0',
  concatenated: 'raid0',
  raid1: 'raid1',
  mirrored_set: 'raid1',
  raid10: 'raid10',
  raid5: 'raid5',
  raid6: 'raid6',
  raid7: 'raid7',
  draid1: 'draid1',
  draid2: 'draid2',
  draid3: 'draid3',
};

/** What models have found of an array: at once, and by a run. */
export interface Found {
  outlook: Outlook | null;
  result?: ArrayResult;
}

/** Why the plan cannot take an array; nothing when it can. */
export function noPlan({ drive }: ArrayDesign): string | null {
  if (drive.kind === 'hdd' && drive.seek.kind !== 'three_point') {
    return 'The plan needs a three-point seek curve.';
  }
  return null;
}

function cacheOf(cache: CacheTier, found: ArrayResult | undefined): JsonObject {
  const hit = cache.hit_fraction ?? found?.cache?.hit_fraction ?? null;
  return {
    device: { ...cache.device, capacity_gb: cache.capacity_gb },
    unit_price_usd: cache.device.price_usd,
    write_back: cache.mode !== 'write_through',
    ...(hit === null ? {} : { hit_fraction: hit }),
  } as unknown as JsonObject;
}

function policyOf(drive: ArrayDesign['drive'], timeouts: Timeouts | null): JsonObject {
  const sleeps = timeouts !== null && drive.kind === 'hdd' && drive.standby !== null;
  return sleeps ? { kind: 'threshold', idle_timeout_s: timeouts.standby_s } : { kind: 'always_on' };
}

/** Drives without spares; of a declustered array the spare room counts apart. */
function drivesOf(layout: ArrayDesign['layout']): JsonObject {
  const { disks_count, distributed_spares_count: spares, rebuild_mb_per_s: rate } = layout;
  if (!isDeclustered(layout.kind)) return { disks_count };
  return {
    disks_count: disks_count - spares,
    spares_count: spares,
    disks_per_group: layout.stripe_disks_count,
    ...(rate === null ? {} : { rebuild_mb_per_s: rate }),
  };
}

function loadOf({ workload, recorded }: Asked, { outlook, result: found }: Found): JsonObject {
  const rate = recorded ? recorded.rate_per_s : outlook?.arrival_rate_per_s;
  return {
    requests_per_s:
      (recorded ? found?.throughput_per_s : undefined) ?? rate ?? found?.throughput_per_s ?? 0,
    read_fraction: workload.read_fraction,
    request_bytes: Math.round(outlook?.request_mean_bytes ?? workload.size_bytes),
    pattern: workload.addresses.kind === 'sequential' ? 'sequential' : 'random',
  };
}

/** An array of this page as a design of a study takes it; a run's findings are used if given. */
export function planArray(
  array: ArrayDesign,
  state: Asked & Pick<ArraysState, 'site'>,
  found: Found,
): JsonObject {
  const { drive, layout, cache, timeouts } = array;
  const { drive_kgco2e } = state.site;
  return {
    drive: drive as unknown as JsonObject,
    drive_price_usd: drive.price_usd,
    layout: LAYOUTS[layout.kind],
    ...drivesOf(layout),
    // Disks one after another have no stripe: a chunk is a whole disk.
    ...(layout.kind === 'concatenated' ? {} : { stripe_unit_bytes: layout.chunk_bytes }),
    power_policy: policyOf(drive, timeouts),
    cache: cache && cacheOf(cache, found.result),
    io: loadOf(state, found),
    ...(drive_kgco2e === null ? {} : { embodied: { drive_kgco2e } }),
  };
}

/** The carbon factor with what it is of, as the plan keeps it. */
export function carbonOf(site: ArraysState['site']): JsonObject {
  const { gco2e_per_kwh, carbon_year: year, carbon_zone: zone, carbon_basis: basis } = site;
  return { gco2e_per_kwh, year, zone, basis };
}
