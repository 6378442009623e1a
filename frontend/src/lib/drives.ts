import type { JsonSchema } from './schema';
import type { Science } from './science';
import type { CatalogueEntry } from './types';

/** Drives as the models take them. */

export type HardDisk = Science['storage.array.HardDisk'];
export type SolidState = Science['storage.array.SolidState'];
export type Drive = HardDisk | SolidState;
export type SleepState = Science['storage.array.SleepState'];
/** Requests of a synthetic workload that a drive was measured with: what else it asks is open. */
export type Asked = Pick<
  Science['storage.array.SyntheticWorkload'],
  'arrivals' | 'size_bytes' | 'read_fraction'
>;
export type DiskGeometry = Science['storage.array.DiskGeometry'];
export type GeometryZone = Science['storage.array.GeometryZone'];

const DEFS: Record<Drive['kind'], string> = { hdd: 'HardDisk', ssd: 'SolidState' };

/** What the models say a drive is; nothing where they do not. */
export function driveSchema(root: JsonSchema, kind: Drive['kind']): JsonSchema | undefined {
  return root.$defs?.[DEFS[kind]];
}

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
