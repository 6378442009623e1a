import { originOf } from '../../components/form/places';
import { read, type Json } from '../../lib/pointer';
import type { CatalogueEntry, Origin, Provenance } from '../../lib/types';
import type { Drive } from './types';

const at = (drive: unknown, pointer: string) => read(drive as Json, pointer);

/** Where the figures of a drive come from, as far as they are still those of its entry. */
export function originsOf(entry: CatalogueEntry, drive: Drive): Provenance {
  const made = entry.drive;
  if (!made?.drive || made.kind !== drive.kind) return {};
  const whole = made.drive;
  const held = Object.entries(made.origins).flatMap(
    ([pointer, { field, how }]): [string, Origin][] => {
      const value = entry.values[field];
      if (!value || at(drive, pointer) !== at(whole, pointer)) return [];
      const origin = originOf(entry, value);
      // A range is in the unit of the entry.
      return [[pointer, how === null ? origin : { ...origin, low: null, high: null, note: how }]];
    },
  );
  return Object.fromEntries(held);
}
