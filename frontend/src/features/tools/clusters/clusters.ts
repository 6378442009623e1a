import { MISSING, percent, quantity, significant } from '../../../lib/format';
import type { Science } from '../../../lib/science';

export const CODE_MODEL = 'storage.cluster_code';
export const CLUSTER_MODEL = 'storage.cluster_array';

export type Coded = Science['storage.cluster_code.Result'];
export type Clustered = Science['storage.cluster_array.Result'];
export type Phase = Clustered['phases'][number];
type Responses = NonNullable<Phase['read']>;

type Lines<T> = readonly (readonly [string, (of: T) => string])[];

const ms = (of: Responses | null, key: Exclude<keyof Responses, 'count'>) =>
  of ? quantity(of[key], 'ms') : MISSING;

const responses = (kind: 'read' | 'write', name: string): Lines<Phase> => [
  [`${name}, mean`, (phase) => ms(phase[kind], 'mean_ms')],
  [`${name}, p50`, (phase) => ms(phase[kind], 'p50_ms')],
  [`${name}, p95`, (phase) => ms(phase[kind], 'p95_ms')],
  [`${name}, p99`, (phase) => ms(phase[kind], 'p99_ms')],
  [`${name}, p99.9`, (phase) => ms(phase[kind], 'p999_ms')],
];

/** What each phase of a rebuild is like, a line for each figure. */
export const PHASE_LINES: Lines<Phase> = [
  ...responses('read', 'Reads'),
  ...responses('write', 'Writes'),
  ['Reads without a lost shard', (phase) => percent(phase.degraded_read_fraction)],
  ['Drives at work', (phase) => percent(phase.drive_load_fraction)],
  ['Busiest drive', (phase) => percent(phase.busiest_drive_fraction)],
  ['Network, all nodes', (phase) => quantity(phase.network_mb_per_s, 'MB/s')],
  ['Busiest link', (phase) => percent(phase.busiest_link_fraction)],
  ['Cores that code', (phase) => significant(phase.code_cores_count)],
  ['Power', (phase) => quantity(phase.power_w, 'W')],
];

/** What a cluster with a code is like by its closed form. */
export const CODE_LINES: Lines<Coded> = [
  ['Raw space', ({ raw_tb }) => quantity(raw_tb, 'TB')],
  ['Usable space', ({ usable_tb }) => quantity(usable_tb, 'TB')],
  ['Raw space of a byte', ({ overhead_ratio }) => `${significant(overhead_ratio)} ×`],
  ['Rebuild of a drive', ({ drive_lost }) => quantity(drive_lost.recovery_h, 'h')],
  ['Rebuild of a node', ({ node_lost }) => quantity(node_lost.recovery_h, 'h')],
  ['Read for repairs', ({ repair_tb_per_year }) => quantity(repair_tb_per_year, 'TB/yr')],
  ['Nines of an object, a year', (one) => significant(one.durability.object_nines_count)],
  ['Any data lost, chance a year', (one) => chance(one.durability.loss_fraction_per_year)],
  ['Drives at work', ({ load }) => percent(load.drive_load_fraction)],
  ['Network of a node', ({ load }) => percent(load.network_load_fraction)],
  ['Cores that code', ({ load }) => significant(load.code_cores_count)],
  ['Read, mean', ({ load }) => quantity(load.read_mean_ms, 'ms')],
  ['Write, mean', ({ load }) => quantity(load.write_mean_ms, 'ms')],
  ['Power', ({ power_w }) => quantity(power_w, 'W')],
  ['Energy', ({ energy_kwh_per_year }) => quantity(energy_kwh_per_year, 'kWh/yr')],
  ['Usable TB, a year', ({ usd_per_usable_tb_year: usd }) => quantity(usd, 'USD/TB/yr')],
];

const chance = (value: number) => (value > 0 ? value.toExponential(1) : '0');
