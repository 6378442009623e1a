import { money, percent, quantity, significant } from '../../../lib/format';
import { isObject, write, type Json, type JsonObject } from '../../../lib/pointer';

export const JOB_MODEL = 'performance.cluster_job';

export type Part = 'cpu' | 'disk' | 'network';

export const PARTS: readonly Part[] = ['cpu', 'disk', 'network'];
export const PART_NAMES: Record<Part, string> = { cpu: 'cores', disk: 'disks', network: 'network' };

export interface PhaseTime {
  name: string;
  tasks_count: number;
  waves_count: number;
  cpu_s: number;
  disk_s: number;
  network_s: number;
  time_s: number;
  bottleneck: Part;
}

export interface ClusterAnswer {
  name: string;
  nodes_count: number;
  disks_count: number;
  time_s: number;
  phases: PhaseTime[];
  cpu_utilization_fraction: number;
  disk_utilization_fraction: number;
  threads_per_disk_ratio: number | null;
  fixed_power_per_node_w: number;
  power_w: number;
  power_parts: { fixed_w: number; nodes_w: number; disks_w: number; ports_w: number };
  full_power_w: number;
  energy_j: number;
  price_usd: number;
  tco_usd: number;
  performance_per_w: number;
  performance_per_usd: number | null;
  warnings: string[];
}

export interface JobCells {
  nodes_count: number[];
  disks_count: number[];
  time_s: number[][];
  energy_j: number[][];
  tco_usd: number[][];
  bottleneck: Part[][];
}

export interface JobAnswer {
  clusters: ClusterAnswer[];
  ratios: {
    name: string;
    baseline: string;
    speedup_ratio: number;
    power_ratio: number | null;
    energy_ratio: number | null;
    performance_per_usd_ratio: number | null;
  }[];
  /** What the figures that the paper prints say together. */
  implied: {
    name: string;
    speedup_ratio: number;
    power_ratio: number;
    energy_ratio: number;
    performance_per_wh_ratio: number;
  }[];
  map: JobCells | null;
}

export type Equal = 'work' | 'power' | 'cost' | 'time';
export type Measure = 'performance_per_w' | 'energy_j' | 'performance_per_usd' | 'time_s';

export const MEASURES: { value: Measure; label: string }[] = [
  { value: 'performance_per_w', label: 'Jobs per kWh' },
  { value: 'energy_j', label: 'Joules per job' },
  { value: 'performance_per_usd', label: 'Jobs per dollar' },
  { value: 'time_s', label: 'Time' },
];

export interface ScalingState {
  equal: Equal;
  measure: Measure;
  nodes_low: number;
  nodes_high: number;
  disks_low: number;
  disks_high: number;
  /** What was changed in the model's own inputs, by pointer. */
  inputs: JsonObject;
}

export const SCALING_START: ScalingState = {
  equal: 'work',
  measure: 'performance_per_w',
  nodes_low: 16,
  nodes_high: 512,
  disks_low: 4,
  disks_high: 128,
  inputs: {},
};

/** Choices whose effect the planner has measured: kind, what it changes, label. */
export const SETTINGS = [
  ['journal', 'disk_rate_ratio', 'Journal: disk rate'],
  ['interrupt_coalescing', 'cpu_time_ratio', 'Coalescing: task time'],
  ['jumbo_frames', 'network_rate_ratio', 'Jumbo frames: network'],
  ['data_placement', 'network_rate_ratio', 'Placement: network'],
] as const;
type Setting = (typeof SETTINGS)[number];

const others = (settings: Json | undefined, kind: string) =>
  Array.isArray(settings) ? settings.filter((one) => !isObject(one) || one.kind !== kind) : [];

/** What a choice does to a cluster; 1 when it is not made. */
export function settingRatio(settings: Json | undefined, [kind, key]: Setting): number {
  const found = Array.isArray(settings)
    ? settings.find((one) => isObject(one) && one.kind === kind)
    : undefined;
  const value = isObject(found) ? found[key] : undefined;
  return typeof value === 'number' ? value : 1;
}

/** The cluster's settings with one choice of this effect; an effect of 1 takes it away. */
export function withSetting(settings: Json | undefined, setting: Setting, ratio: number): Json[] {
  const [kind, key] = setting;
  return [...others(settings, kind), ...(ratio === 1 ? [] : [{ kind, [key]: ratio }])];
}

const STEPS = 24;
const JOULES_PER_KWH = 3.6e6;

/** Whether both clusters are still those of the paper. */
export const arePapers = ({ inputs }: ScalingState): boolean =>
  !Object.keys(inputs).some((pointer) => pointer.startsWith('/clusters/'));

/** The model's params: its own defaults with what was changed, and the grid. */
export function jobParams(defaults: JsonObject, state: ScalingState): JsonObject {
  const changed = Object.entries(state.inputs).reduce<Json>(
    (held, [pointer, value]) => write(held, pointer, value),
    { job: defaults.job ?? {}, clusters: defaults.clusters ?? [] },
  );
  return {
    ...(isObject(changed) ? changed : {}),
    equal: state.equal,
    reported: arePapers(state) ? (defaults.reported ?? []) : [],
    map: {
      nodes_low_count: state.nodes_low,
      nodes_high_count: state.nodes_high,
      nodes_steps_count: STEPS,
      disks_low_count: state.disks_low,
      disks_high_count: state.disks_high,
      disks_steps_count: STEPS,
    },
  };
}

/** A cell's value in the unit that is shown; over a lifetime, jobs per dollar are 1 / (T TCO). */
export function cellValue(
  cells: JobCells,
  at: readonly [number, number],
  measure: Measure,
  lifeS: number,
): number | null {
  const [row, column] = at;
  const time = cells.time_s[row]?.[column];
  const energy = cells.energy_j[row]?.[column];
  const tco = cells.tco_usd[row]?.[column];
  if (time === undefined || energy === undefined || tco === undefined) return null;
  if (measure === 'time_s') return time;
  if (measure === 'energy_j') return energy;
  if (measure === 'performance_per_w') return JOULES_PER_KWH / energy;
  return tco > 0 ? lifeS / time / tco : null;
}

export function measureText(value: number | null, measure: Measure): string {
  if (value === null) return '—';
  if (measure === 'time_s') return quantity(value, 's');
  if (measure === 'energy_j') return joules(value);
  const unit = measure === 'performance_per_w' ? 'jobs/kWh' : 'jobs/$';
  return `${significant(value)} ${unit}`;
}

export function joules(value: number): string {
  const [divide, unit] =
    value >= 1e9 ? [1e9, 'GJ'] : value >= 1e6 ? [1e6, 'MJ'] : value >= 1e3 ? [1e3, 'kJ'] : [1, 'J'];
  return `${significant(value / divide)}\u00a0${unit}`;
}

/** More of it is better, except of time and joules. */
export function best(
  cells: JobCells,
  measure: Measure,
  lifeS: number,
): { at: [number, number]; value: number } | null {
  const sign = measure === 'time_s' || measure === 'energy_j' ? -1 : 1;
  let found: { at: [number, number]; value: number } | null = null;
  for (let row = 0; row < cells.nodes_count.length; row += 1) {
    for (let column = 0; column < cells.disks_count.length; column += 1) {
      const value = cellValue(cells, [row, column], measure, lifeS);
      if (value !== null && (!found || sign * value > sign * found.value)) {
        found = { at: [row, column], value };
      }
    }
  }
  return found;
}

const EQUALS: Record<Equal, string> = {
  work: 'As entered',
  power: 'At equal full power',
  cost: 'At equal price',
  time: 'At equal time',
};

/** The part that a cluster waits for longest. */
export function longestWait(answer: ClusterAnswer): Part {
  const waited = (part: Part) =>
    answer.phases
      .filter((phase) => phase.bottleneck === part)
      .reduce((sum, phase) => sum + phase.time_s, 0);
  return PARTS.reduce((most, part) => (waited(part) > waited(most) ? part : most));
}

export function scalingSentence(answer: JobAnswer, equal: Equal): string {
  const [ratio] = answer.ratios;
  const [first] = answer.clusters;
  if (!ratio || !first) return 'Enter two clusters to compare them.';
  const { speedup_ratio: speed, energy_ratio: energy, performance_per_usd_ratio: perUsd } = ratio;
  const energyText =
    energy === null
      ? ''
      : `, with ${percent(Math.abs(1 - energy))} ${energy < 1 ? 'less' : 'more'} energy a job`;
  const waits = `it waits for ${PART_NAMES[longestWait(first)]} longest`;
  const [held] = answer.clusters.slice(-1);
  if (equal === 'time' && held && speed > 0.999) {
    const nodes = (one: ClusterAnswer) => one.nodes_count.toLocaleString('en-GB');
    const times = [first, held].map(({ time_s }) => quantity(time_s, 's')).join(' against ');
    const sooner = speed > 1.01 ? ` (${times}: with one node fewer it ends later)` : '';
    return (
      `${EQUALS.time}, **${nodes(first)} nodes of ${ratio.name} do what ${nodes(held)} of ` +
      `${ratio.baseline} do**${sooner}${energyText}; ${waits}.`
    );
  }
  const dollars = perUsd === null ? '' : ` and ${significant(perUsd)} times the work per dollar`;
  // A cluster that is never as fast is compared as entered.
  return (
    `${EQUALS[equal === 'time' ? 'work' : equal]}, **${ratio.name} does the job ${significant(speed)} times as fast** as ` +
    `${ratio.baseline}${energyText}${dollars}; ${waits}.`
  );
}

export function costText(answer: ClusterAnswer): string {
  return `${money(answer.price_usd)} to buy, ${money(answer.tco_usd)} with energy`;
}
