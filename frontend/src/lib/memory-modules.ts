import { isObject, type JsonObject } from './pointer';
import type { CatalogueEntry } from './types';

/** Fields of a data sheet that are numbers, by the names that the models have too. */
const NUMBERS = [
  'capacity_gib',
  'ranks_count',
  'devices_per_rank_count',
  'supply_v',
  'pump_v',
  'pump_ma',
  'row_cycle_ns',
  'row_open_ns',
  'refresh_ns',
  'self_refresh_exit_ns',
  'register_w',
] as const;

export const CURRENT_NAMES = [
  'idd0_ma',
  'idd2n_ma',
  'idd2p_ma',
  'idd3n_ma',
  'idd4r_ma',
  'idd4w_ma',
  'idd5b_ma',
  'idd6n_ma',
] as const;

/** A line of 64 bytes is eight transfers of eight bytes. [ns at 1 MT/s] */
const BURST_NS_MT_PER_S = 8000;

const numberOf = (entry: CatalogueEntry, name: string) => {
  const value = entry.values[name]?.value;
  return typeof value === 'number' ? value : null;
};

/**
 * A memory module of the catalogue as its data sheet. Currents that it does not give are null,
 * so that none of another module stays; the pump draws asleep what it draws awake.
 */
export function moduleSheet(entry: CatalogueEntry): JsonObject {
  const sheet: JsonObject = { title: entry.title.slice(0, 120) };
  for (const name of ['generation', 'currents_of']) {
    const value = entry.values[name]?.value;
    if (typeof value === 'string') sheet[name] = value;
  }
  for (const name of NUMBERS) {
    const value = numberOf(entry, name);
    if (value !== null) sheet[name] = value;
  }
  for (const name of CURRENT_NAMES) sheet[name] = numberOf(entry, name);
  if (sheet.pump_ma !== undefined) sheet.pump_asleep_ma = sheet.pump_ma;
  const speed = numberOf(entry, 'speed_mt_per_s');
  if (speed !== null) sheet.burst_ns = Number((BURST_NS_MT_PER_S / speed).toPrecision(4));
  return sheet;
}

/** Whether a group of a form is the data sheet of a memory module. */
export const isSheet = (properties: unknown): boolean =>
  isObject(properties) && 'idd0_ma' in properties;
