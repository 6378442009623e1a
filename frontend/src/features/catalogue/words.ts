import { exact, quantity } from '../../lib/format';
import { providerName } from '../../lib/providers';
import { words } from '../../lib/schema';
import type { CatalogueEntry, CatalogueValue } from '../../lib/types';

const UNIT_TAIL =
  /_(usd_per_[a-z_0-9]+|usd|(mb|gb|tb|gbit|mt|kwh|w|gco2e|kgco2e|ops|fraction)_per_[a-z_0-9]+|per_s|fraction|ratio|count|years|gib|gb|tb|mb|kwh|w|h|s|j|ms|kgco2e|index)$/;

/** Names that say too little without their unit, or that no reader would say so. */
const LABELS: Record<string, string> = {
  vcpu_count: 'vCPU',
  ram_gib: 'RAM',
  afr_fraction: 'Failures in a year',
  buffer_ahead_bytes: 'Memory: read ahead',
  buffer_bus_mb_per_s: 'Memory: rate of its bus',
  buffer_held_writes_count: 'Memory: writes held and sorted',
  buffer_segment_bytes: 'Memory: size of a segment',
  buffer_segments_count: 'Memory: segments',
  buffer_whole_tracks: 'Memory: reads whole tracks',
  buffer_writes_behind: 'Memory: answers writes early',
  depth_count: 'Queue depths',
  depth_read_latency_ms: 'Read latency at these depths',
  depth_write_latency_ms: 'Write latency at these depths',
  die_link_read_ms: 'Link to the dies, for a read',
  die_link_write_ms: 'Link to the dies, for a write',
  die_page_bytes: 'Data of a die',
  write_wait_ms: 'Wait for another write',
  drives_count: 'Drives watched',
  inner_mb_per_s: 'Throughput of the innermost tracks',
  load_unload_count: 'Rated loads and unloads',
  mttf_h: 'Mean time to failure',
  random_read_depth_count: 'Queue depth of random reads',
  random_read_per_s: 'Random reads',
  random_write_depth_count: 'Queue depth of random writes',
  random_write_per_s: 'Random writes',
  read_mb_per_s: 'Sequential reads',
  rpm: 'Speed',
  seek_max_ms: 'Longest seek',
  seek_min_ms: 'Shortest seek',
  seek_ms: 'Mean seek',
  standby_down_j: 'Energy of going to standby',
  standby_down_s: 'Time of going to standby',
  standby_up_j: 'Energy of waking',
  standby_up_s: 'Time of waking',
  start_stop_rating_count: 'Rated starts and stops',
  unrecoverable_per_bit: 'Unreadable bits',
  workload_tb_per_year: 'Rated workload',
  write_settle_ms: 'Settling before a write',
  write_mb_per_s: 'Sequential writes',
  zone_cylinders_count: 'Cylinders of each zone',
  zone_sectors_per_track_count: 'Sectors of a track of each zone',
  zone_spare_sectors_count: 'Spare sectors of each zone',
};

/** A field's name as a reader sees it, without the unit that stands beside it. */
export function fieldLabel(name: string): string {
  const own = LABELS[name];
  if (own) return own;
  const bare = name.replace(UNIT_TAIL, '');
  if (/^usd(_per_|$)/.test(name)) return 'Price';
  const isPower = /_w(_per_[a-z]+)?$/.test(name) && !bare.endsWith('power');
  return words(bare === '' ? name : bare) + (isPower ? ' power' : '');
}

function rank(value: CatalogueValue): number {
  if (value.unit?.startsWith('USD')) return 0;
  if (typeof value.value === 'number') return 1;
  return Array.isArray(value.value) ? 2 : 3;
}

/** Says of an entry what of it is not known, and why. */
export const NOT_KNOWN = 'not_known';

/** The fields of an entry: prices, other numbers, series, texts. */
export function ordered(values: CatalogueEntry['values']): [string, CatalogueValue][] {
  return Object.entries(values)
    .filter(([name]) => name !== NOT_KNOWN)
    .sort(([first, a], [second, b]) => rank(a) - rank(b) || first.localeCompare(second));
}

/** A year of the calendar is no number of years. */
const isYear = ({ unit, value }: CatalogueValue) =>
  unit === 'yr' && typeof value === 'number' && value > 1900;

export function shortValue(value: CatalogueValue | undefined): string {
  if (!value) return '—';
  if (isYear(value)) return String(value.value);
  if (typeof value.value === 'number') return quantity(value.value, value.unit);
  if (Array.isArray(value.value)) return `${value.value.length} values`;
  return providerName(value.value);
}

export function fullValue(value: CatalogueValue): string {
  if (isYear(value)) return String(value.value);
  if (typeof value.value === 'number') return exact(value.value, value.unit);
  if (Array.isArray(value.value)) {
    return value.value.map((item) => exact(item, value.unit)).join(', ');
  }
  return providerName(value.value);
}

const SHOWN = 7;

/** What one kind of entry is chosen by. */
const COLUMNS: Record<string, readonly string[]> = {
  instance: ['vcpu_count', 'ram_gib', 'usd_per_h', 'region', 'provider', 'network_gbit_per_s'],
  server: [
    'unit_price_usd',
    'cores_per_node_count',
    'ram_gib',
    'year',
    'idle_w',
    'peak_w',
    'rack_units_count',
  ],
  drive: [
    'unit_price_usd',
    'capacity_tb',
    'year',
    'interface',
    'recording',
    'idle_w',
    'read_w',
    'warranty_years',
  ],
};

/** The columns of a list of entries: the fields that most of them have, in their order. */
export function columnsOf(entries: readonly CatalogueEntry[]): string[] {
  const kind = entries[0]?.kind ?? '';
  const chosen = COLUMNS[kind];
  if (chosen && entries.every((entry) => entry.kind === kind)) return [...chosen];
  const counts = new Map<string, number>();
  for (const entry of entries) {
    for (const [name] of ordered(entry.values)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const common = [...counts].filter(([, count]) => count * 2 >= entries.length);
  const differ = common.filter(([name]) => {
    const first = entries[0]?.values[name];
    const same = (entry: CatalogueEntry) =>
      JSON.stringify(entry.values[name]?.value) === JSON.stringify(first?.value);
    return entries.length === 1 || !entries.every(same);
  });
  return differ.slice(0, SHOWN).map(([name]) => name);
}
