import { originOf } from '../../components/form/places';
import type { Drive } from '../../lib/drives';
import { read, type Json } from '../../lib/pointer';
import type { CatalogueEntry, Origin } from '../../lib/types';

/**
 * Where the figures of a drive come from, by place in it. One that is worked out of a field's
 * figure says how, and does not follow the entry when that changes.
 */
export function driveOrigins(drive: Drive, entry: CatalogueEntry): Record<string, Origin> {
  const found: Record<string, Origin> = {};
  for (const [place, { field, how }] of Object.entries(entry.drive?.origins ?? {})) {
    const value = entry.values[field];
    if (!value) continue;
    const origin = { ...originOf(entry, value), low: null, high: null };
    const isFields = read(drive as unknown as Json, place) === value.value;
    const note = how ?? (value.note || null);
    found[place] = isFields ? { ...origin, field, note } : { ...origin, entry: null, note };
  }
  return found;
}
