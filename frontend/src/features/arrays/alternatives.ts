import type { HardDisk } from '../../lib/drives';
import { percent, quantity } from '../../lib/format';
import { isObject, type Json, type JsonObject } from '../../lib/pointer';
import { PLAIN_DISK, TRAVELSTAR_7K60 } from './drives';
import { ADDRESSES, PRESETS, type Preset } from './presets';
import { wholeSectors } from './sizes';
import type { Science } from '../../lib/science';
import type { Outlook } from './result';
import type { Addresses, ArrayDesign, SyntheticWorkload } from './types';

export const ALTERNATIVES_MODEL = 'storage.alternatives';

export type Alternatives = Science['storage.alternatives.Result'];
export type Alternative = Science['storage.alternatives.AlternativeRow'];
type Kind = Alternative['kind'];

export const PROPOSED: Partial<Record<Kind, { title: string; about: string }>> = {
  multi_speed: {
    title: 'Multi-speed disks (DRPM)',
    about: 'Gurumurthi et al. 2003: disks that run at the slowest speed that meets the load',
  },
  idle_array: {
    title: 'Idle array (MAID)',
    about: 'Colarelli and Grunwald 2002: the sleeping disks, with what cache disks leave to them',
  },
  concentrated: {
    title: 'Popular data concentrated (PDC)',
    about: 'Pinheiro and Bianchini 2004: what is read most lies on the first disks, others sleep',
  },
};

/** What the model is asked: its own server disks, at the rate and size of this page. */
export function alternativesParams(outlook: Outlook | null): JsonObject | null {
  if (!outlook) return null;
  const { arrival_rate_per_s: rate, request_mean_bytes: bytes } = outlook;
  return {
    ...(rate === null ? {} : { arrival_rate_per_s: rate }),
    size_bytes: wholeSectors(bytes),
  };
}

export function alternativeFigures(row: Alternative): string {
  const share = row.saved_fraction;
  const saved =
    Math.abs(share) < 0.0005
      ? 'as much as always on'
      : `${percent(Math.abs(share))} ${share > 0 ? 'less' : 'more'} than always on`;
  const response =
    row.response_mean_ms === null ? 'overloaded' : quantity(row.response_mean_ms / 1000, 's');
  return [`${row.drives_count} disks`, quantity(row.power_w, 'W'), saved, response].join(' · ');
}

/** What the model leaves out where a value is its default. */
const DISK: Partial<HardDisk> = {
  ...PLAIN_DISK,
  overhead_ms: 0.3,
  inner_mb_per_s: null,
  low_power_idle: null,
  standby: null,
  price_usd: 0,
  start_stop_rating_count: 50_000,
  unrecoverable_per_bit: 1e-14,
  afr_fraction: 0.017,
};

const part = (held: object, given: Json | undefined): JsonObject => ({
  ...(held as JsonObject),
  ...(isObject(given) ? given : {}),
});

function arrayOf(given: JsonObject): ArrayDesign {
  const [first] = PRESETS;
  if (!first) throw new Error('There is no preset.');
  const base = first.array;
  const drive = isObject(given.drive) ? part(DISK, given.drive) : TRAVELSTAR_7K60;
  const sleeps = isObject(given.timeouts);
  return {
    ...base,
    drive,
    layout: part(base.layout, given.layout),
    dispatch: part(base.dispatch, given.dispatch),
    timeouts: sleeps ? part({ low_power_idle_s: null, standby_s: null }, given.timeouts) : null,
  } as unknown as ArrayDesign;
}

function addressesOf(given: Json | undefined): Addresses {
  if (!isObject(given) || !Array.isArray(given.regions)) return ADDRESSES.uniform;
  const regions = given.regions.map((region) =>
    part({ start_fraction: 0, stay_fraction: 0 }, region),
  );
  return { kind: 'regions', regions } as unknown as Addresses;
}

/** The array of an alternative; its workload too, where the idea lies in what reaches the disks. */
export function alternativePreset(row: Alternative, workload: SyntheticWorkload): Preset | null {
  const words = PROPOSED[row.kind];
  const found = JSON.parse(row.preset) as { array: JsonObject; workload: JsonObject };
  if (!words) return null;
  const preset = { id: row.kind, ...words, array: arrayOf(found.array) };
  if (row.kind === 'multi_speed') return preset;
  const arrivals = part({ kind: 'exponential' }, found.workload.arrivals);
  const addresses = addressesOf(found.workload.addresses);
  return {
    ...preset,
    workload: { ...workload, arrivals, addresses } as unknown as SyntheticWorkload,
  };
}
