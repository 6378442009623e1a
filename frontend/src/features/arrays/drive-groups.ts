import type { JsonSchema } from '../../lib/schema';
import type { Drive } from './types';

export interface DriveGroup {
  title: string;
  schema: JsonSchema;
}

const KEYS: Record<Drive['kind'], Record<string, readonly string[]>> = {
  hdd: {
    'Capacity and price': ['capacity_gb', 'price_usd'],
    'Seek and rotation': [
      'speed_rpm',
      'seek',
      'overhead_ms',
      'write_settle_ms',
      'same_cylinder_ms',
      'outer_mb_per_s',
      'inner_mb_per_s',
    ],
    'On-board cache': ['buffer'],
    'Power states and transitions': ['active_w', 'idle_w', 'seek_w', 'low_power_idle', 'standby'],
    'Wear and failure': ['start_stop_rating_count', 'unrecoverable_per_bit', 'afr_fraction'],
  },
  ssd: {
    'Capacity and price': ['capacity_gb', 'price_usd'],
    'Latency and channels': [
      'read_latency_ms',
      'write_latency_ms',
      'read_mb_per_s',
      'write_mb_per_s',
      'channels_count',
      'read_hold_ms',
      'write_hold_ms',
    ],
    Power: ['active_w', 'write_w', 'idle_w'],
    'Wear and failure': [
      'endurance_tb',
      'endurance_of',
      'spare_fraction',
      'write_amplification_ratio',
      'unrecoverable_per_bit',
      'afr_fraction',
    ],
  },
};

/** Chosen elsewhere, or without effect on a simulation. */
const ELSEWHERE = new Set(['kind', 'name', 'on_sale', 'geometry']);

const DEFS: Record<Drive['kind'], string> = { hdd: 'HardDisk', ssd: 'SolidState' };

/** What the models say a drive is; nothing where they do not. */
export function driveSchema(root: JsonSchema, kind: Drive['kind']): JsonSchema | undefined {
  return root.$defs?.[DEFS[kind]];
}

function part(drive: JsonSchema, keys: readonly string[]): JsonSchema {
  const all = drive.properties ?? {};
  const held = keys.flatMap((key) => (all[key] ? [[key, all[key]] as const] : []));
  // The group has a head of its own; what a drive is needs no saying.
  return { ...drive, description: undefined, properties: Object.fromEntries(held) };
}

/** The figures of a drive in groups; one that is not sorted in yet stands in the last. */
export function driveGroups(root: JsonSchema, kind: Drive['kind']): DriveGroup[] {
  const drive = driveSchema(root, kind);
  if (!drive) return [];
  const groups = Object.entries(KEYS[kind]);
  const known = new Set(groups.flatMap(([, keys]) => keys));
  const rest = Object.keys(drive.properties ?? {}).filter(
    (key) => !known.has(key) && !ELSEWHERE.has(key),
  );
  return [...groups, ['Further figures', rest] as const]
    .map(([title, keys]) => ({ title, schema: part(drive, keys) }))
    .filter(({ schema }) => Object.keys(schema.properties ?? {}).length > 0);
}
