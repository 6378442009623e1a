import type { JsonObject } from '../../lib/pointer';
import type { Science } from '../../lib/science';
import type { Preset } from './presets';
import type { Outlook } from './result';
import type { ArrayDesign, SyntheticWorkload } from './types';

export const ALTERNATIVES_MODEL = 'storage.alternatives';

export type Alternatives = Science['storage.alternatives.Result'];
export type Alternative = Science['storage.alternatives.AlternativeRow'];

/** What the model is asked: its own server disks, at the rate and size of this page. */
export function alternativesParams(outlook: Outlook | null): JsonObject | null {
  if (!outlook) return null;
  const { arrival_rate_per_s: rate, request_bytes } = outlook;
  return { ...(rate === null ? {} : { arrival_rate_per_s: rate }), size_bytes: request_bytes };
}

/** The array of an alternative; its workload too, where the idea lies in what reaches the disks. */
export function alternativePreset(row: Alternative, workload: SyntheticWorkload): Preset {
  const { array, workload: own } = JSON.parse(row.preset) as {
    array: ArrayDesign;
    workload: SyntheticWorkload;
  };
  const { kind: id, title, about } = row;
  const { arrivals, addresses } = own;
  const sets = row.sets_workload && { workload: { ...workload, arrivals, addresses } };
  return { id, title, about, array, replaces: null, ...sets };
}
