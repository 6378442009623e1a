import { originOf } from '../../components/form/fill';
import { driveOf } from '../../lib/drives';
import type { CatalogueEntry, Origin, Provenance } from '../../lib/types';
import type { Drive } from './types';

/** A figure of a drive: the fields of an entry that it comes from, and how where it is not one. */
type Rule = readonly [pointer: string, fields: readonly string[], how?: string];

const low = (state: string): Rule[] => [
  [`/${state}/power_w`, [`${state}_w`]],
  ...['down_j', 'down_s', 'up_j', 'up_s'].map((name): Rule => [
    `/${state}/${name}`,
    [`${state}_${name}`],
  ]),
];

const BOTH: readonly Rule[] = [
  ['/capacity_gb', ['capacity_tb']],
  ['/idle_w', ['idle_w']],
  ['/price_usd', ['unit_price_usd']],
  ['/unrecoverable_per_bit', ['unrecoverable_per_bit']],
  ['/afr_fraction', ['afr_fraction']],
];

const RULES: Record<Drive['kind'], readonly Rule[]> = {
  hdd: [
    ...BOTH,
    ...low('standby'),
    ...low('low_power_idle'),
    ['/speed_rpm', ['rpm']],
    ['/seek/min_ms', ['seek_min_ms', 'seek_ms'], 'a tenth of the mean seek'],
    ['/seek/avg_ms', ['seek_ms']],
    ['/seek/max_ms', ['seek_max_ms', 'seek_ms'], 'twice the mean seek'],
    ['/outer_mb_per_s', ['throughput_mb_per_s']],
    ['/inner_mb_per_s', ['inner_mb_per_s', 'throughput_mb_per_s'], 'half the outer rate'],
    ['/active_w', ['read_w'], 'mean of reading and writing'],
    ['/seek_w', ['seek_w']],
    ['/start_stop_rating_count', ['load_unload_count', 'start_stop_rating_count']],
  ],
  ssd: [
    ...BOTH,
    ['/read_latency_ms', ['read_latency_ms'], 'less the time to pass 4 KiB'],
    ['/write_latency_ms', ['write_latency_ms'], 'less the time to pass 4 KiB'],
    ['/read_mb_per_s', ['read_mb_per_s'], 'of the drive, over its channels'],
    ['/write_mb_per_s', ['write_mb_per_s'], 'of the drive, over its channels'],
    ['/channels_count', ['random_read_per_s'], 'random reads a second times the latency of one'],
    ['/read_hold_ms', ['random_read_per_s'], 'channels over random reads a second'],
    ['/write_hold_ms', ['random_write_per_s'], 'channels over random writes a second'],
    ['/active_w', ['read_w']],
    ['/write_w', ['write_w']],
    ['/endurance_tb', ['endurance_tb']],
  ],
};

function at(drive: Drive, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((held, key) => (held as Record<string, unknown> | null)?.[key], drive);
}

/** Where the figures of a drive come from, as far as they are still those of its entry. */
export function originsOf(entry: CatalogueEntry, drive: Drive): Provenance {
  const made = driveOf(entry).drive;
  if (made?.kind !== drive.kind) return {};
  const held = RULES[drive.kind].flatMap(([pointer, fields, how]): [string, Origin][] => {
    const mine = at(drive, pointer);
    const name = fields.find((field) => entry.values[field]);
    const value = name === undefined ? undefined : entry.values[name];
    if (!value || typeof mine !== 'number' || mine !== at(made, pointer)) return [];
    const origin = originOf(entry, value);
    // A range is in the unit of the entry.
    if (mine === value.value) return [[pointer, origin]];
    return [[pointer, { ...origin, low: null, high: null, note: how ?? null }]];
  });
  return Object.fromEntries(held);
}
