import { money, percent, quantity, significant } from '../../lib/format';
import type { Json, JsonObject } from '../../lib/pointer';
import { traceRef, type Trace } from '../../lib/traces';

export const CACHE_MODEL = 'storage.ssd_cache';

export interface CacheSize {
  cache_gb: number;
  holds_a_day: boolean;
  devices_count: number;
  read_hit_fraction: number;
  read_response_ms: number | null;
  saved_w: number;
  saved_fraction: number;
  saved_kwh_per_year: number;
  written_tb_per_year: number;
  drive_writes_per_day: number;
  wear_years: number | null;
  purchase_usd: number;
  net_usd: number;
}

type Warning =
  | 'less_than_a_day'
  | 'overloaded_without_cache'
  | 'wears_out_in_service'
  | 'costs_more_than_it_saves'
  | 'sampled';

export interface CacheAnswer {
  covered_days_count: number;
  sampled_fraction: number;
  day_gb: number;
  footprint_gb: number;
  read_fraction: number;
  uncached_w: number;
  uncached_response_ms: number | null;
  sizes: CacheSize[];
  advised: CacheSize;
  asleep_uncached_w: number | null;
  asleep_cached_w: number | null;
  warnings: Warning[];
}

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

const gb = (value: number) => quantity(value * 1e9, 'B');

function saving({ saved_w, saved_fraction, saved_kwh_per_year }: CacheSize): string {
  const watts = quantity(Math.abs(saved_w), 'W');
  const year = quantity(Math.abs(saved_kwh_per_year), 'kWh/yr');
  return saved_w >= 0
    ? `it saves ${watts} (${percent(saved_fraction)}), ${year}`
    : `it uses ${watts} more than it saves, ${year}`;
}

/** The verdict: how large, what it serves, what it saves, how long it lasts. */
export function cacheSentence({ advised, covered_days_count, read_fraction }: CacheAnswer): string {
  const day = covered_days_count < 1 ? 'all that was touched' : 'a day';
  const serves =
    read_fraction > 0 ? ` and serves ${percent(advised.read_hit_fraction)} of the reads` : '';
  const wear =
    advised.wear_years === null
      ? 'how long it lasts is not known'
      : `its rated writes last ${years(advised.wear_years)}`;
  return `**A cache of ${gb(advised.cache_gb)} holds ${day}**${serves}: ${saving(advised)}; ${wear}.`;
}

function years(value: number): string {
  return value > 100 ? 'more than 100 years' : quantity(value, 'yr');
}

function response({ uncached_response_ms: before, advised, read_fraction }: CacheAnswer): string {
  const after = advised.read_response_ms;
  if (read_fraction === 0 || after === null) return '';
  return before === null
    ? `A read takes ${quantity(after, 'ms')} on average; without the cache the disks are overloaded.`
    : `A read takes ${quantity(after, 'ms')} on average, ${quantity(before, 'ms')} without the cache.`;
}

function wear({ advised }: CacheAnswer): string {
  const drives = advised.devices_count === 1 ? 'one drive' : `${advised.devices_count} drives`;
  return `It takes ${drives} and writes ${significant(advised.written_tb_per_year)} TB a year, ${significant(
    advised.drive_writes_per_day,
    2,
  )} times its space a day.`;
}

function worth({ advised }: CacheAnswer): string {
  if (advised.purchase_usd === 0) return '';
  const way = advised.net_usd >= 0 ? 'more than they cost' : 'less than they cost';
  return `The drives cost ${money(advised.purchase_usd)} over their service; the electricity saved is ${money(
    Math.abs(advised.net_usd),
  )} ${way}.`;
}

function asleep({ asleep_uncached_w: before, asleep_cached_w: after }: CacheAnswer): string {
  if (before === null || after === null) return '';
  return `If the disks slept in the gaps, the total would be ${quantity(after, 'W')} with the cache and ${quantity(
    before,
    'W',
  )} without.`;
}

const WARNINGS: Partial<Record<Warning, (answer: CacheAnswer) => string>> = {
  less_than_a_day: (answer) =>
    `The record covers ${percent(answer.covered_days_count)} of a day: a whole day needs at least this much.`,
  wears_out_in_service: () => 'It wears out before the end of its service.',
  sampled: (answer) =>
    `Hits are counted on ${percent(answer.sampled_fraction)} of the blocks, sampled at random.`,
};

/** What else there is to say, most telling first. */
export function cacheSentences(answer: CacheAnswer): string[] {
  return [
    ...answer.warnings.map((warning) => WARNINGS[warning]?.(answer) ?? ''),
    response(answer),
    wear(answer),
    worth(answer),
    asleep(answer),
  ].filter(Boolean);
}
