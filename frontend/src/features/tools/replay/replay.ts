import { money, percent, quantity, significant } from '../../../lib/format';
import type { Json, JsonObject } from '../../../lib/pointer';
import { figureOf, traceRef, type Trace } from '../../../lib/traces';
import type { CatalogueEntry } from '../../../lib/types';
import { carbonSource, savedBy, savedText, type EnergyPrice, type Saved } from '../frame/price';

export const DAY_MODEL = 'consolidation.dynamic';

export interface DayPoint {
  at_h: number;
  energy_kwh: number;
  hosts_on_count: number;
  migrations_count: number;
}

export interface Day {
  policy: string;
  energy_kwh: number;
  migrations_count: number;
  /** What copying and switching draw, beside the energy; a run kept from before has none. */
  moving_kwh?: number;
  switches_count?: number;
  switching_kwh?: number;
  hosts_on_mean_count: number;
  slatah_fraction: number;
  pdm_fraction: number;
  slav_fraction: number;
  esv_kwh: number;
  series: DayPoint[];
}

export interface Replay {
  machines_count: number;
  hosts_count: number;
  duration_h: number;
  days: Day[];
}

export interface PolicyChoice {
  id: string;
  label: string;
  document: JsonObject;
}

const adaptive = (overload: string, selection: string, safety_ratio: number): PolicyChoice => ({
  id: `${overload}-${selection}`,
  label: `${overload.toUpperCase()}-${selection.toUpperCase()}-${safety_ratio}`,
  document: { overload, selection, safety_ratio },
});
const fixed = (selection: string): PolicyChoice => ({
  id: `thr-${selection}`,
  label: `THR-${selection.toUpperCase()}-0.8`,
  document: { overload: 'thr', selection, threshold_fraction: 0.8 },
});

/** The policies of the article, named as there, with its safety factors. */
export const POLICIES: readonly PolicyChoice[] = [
  { id: 'npa', label: 'NPA', document: { overload: 'npa' } },
  { id: 'dvfs', label: 'DVFS', document: { overload: 'dvfs' } },
  ...['mmt', 'mu', 'rs', 'mc'].flatMap((selection) => [
    fixed(selection),
    adaptive('iqr', selection, 1.5),
    adaptive('mad', selection, 2.5),
    adaptive('lr', selection, 1.2),
    adaptive('lrr', selection, 1.2),
  ]),
];

export interface ReplayState {
  source: 'generated' | 'trace';
  trace_id: string;
  /** servers: each machine is a server of today; paper: virtual machines on the paper's hosts. */
  estate: 'servers' | 'paper';
  machines_count: number;
  mean_fraction: number;
  spread_ratio: number;
  swing_fraction: number;
  noise_fraction: number;
  server_name: string;
  power_w: number[];
  /** As the catalogue has them; null unknown. */
  server_cores: number | null;
  server_ram_gib: number | null;
  copy_gb: number;
  network_gbit_per_s: number;
  /** More at each end of a copy, and to switch a server off and on again. */
  moving_w: number;
  wake_kj: number;
  threshold_fraction: number;
  policies: string[];
}

export const REPLAY_START: ReplayState = {
  source: 'generated',
  trace_id: '',
  estate: 'servers',
  machines_count: 40,
  mean_fraction: 0.15,
  spread_ratio: 0.5,
  swing_fraction: 0.6,
  noise_fraction: 0.04,
  server_name: 'Dell PowerEdge R620, 2 x Xeon E5-2670 (2012)',
  power_w: [54.1, 78.4, 88.5, 99.5, 115, 126, 143, 165, 196, 226, 243],
  server_cores: 16,
  server_ram_gib: 24,
  copy_gb: 16,
  network_gbit_per_s: 10,
  moving_w: 11,
  wake_kj: 8.4,
  threshold_fraction: 0.8,
  policies: ['npa', 'dvfs', 'thr-mmt', 'iqr-mmt'],
};

const MIPS = 10_000;
const MB_PER_GB = 1000;

/** Eleven watts of a catalogue server: measured, or a line from idle to full; null unknown. */
export function wattsOf(entry: CatalogueEntry): { power_w: number[]; measured: boolean } | null {
  const field = (name: string) => entry.values[name]?.value as Json | undefined;
  const points = listed(field('points_w'));
  if (points.length === 11) return { power_w: points, measured: true };
  const [idle, peak] = [field('idle_w'), field('peak_w')];
  if (typeof idle !== 'number' || typeof peak !== 'number' || peak < idle) return null;
  const line = Array.from({ length: 11 }, (_, at) => idle + ((peak - idle) * at) / 10);
  return { power_w: line.map((watts) => Number(watts.toPrecision(6))), measured: false };
}

function listed(value: Json | undefined): number[] {
  if (typeof value === 'string') return value.split(/\s+/).map(Number).filter(Number.isFinite);
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'number') : [];
}

function serverEstate(state: ReplayState, count: number): JsonObject {
  return {
    hosts: [
      {
        name: state.server_name,
        hosts_count: count,
        // One core as fast as the whole server: a machine may use all of it.
        cores_count: 1,
        core_mips: MIPS,
        // Memory counts for the first placement only, where each server holds its own machine.
        ram_mb: state.copy_gb * MB_PER_GB,
        network_mbit_per_s: state.network_gbit_per_s * 1000,
        power_w: state.power_w,
      },
    ],
    machine_types: [{ mips: MIPS, ram_mb: state.copy_gb * MB_PER_GB }],
    idle_ends_machine: false,
  };
}

function policyDocument(id: string, threshold: number): JsonObject[] {
  const found = POLICIES.find((policy) => policy.id === id);
  if (!found) return [];
  const { document } = found;
  return [document.overload === 'thr' ? { ...document, threshold_fraction: threshold } : document];
}

/** The run's params; null while no trace is chosen that can be read. */
export function replayParams(state: ReplayState, trace: Trace | undefined): JsonObject | null {
  const uploaded = state.source === 'trace';
  if (uploaded && trace?.state !== 'succeeded') return null;
  const count = uploaded
    ? trace
      ? figureOf(trace, 'machines_count')
      : null
    : state.machines_count;
  if (count === null || state.policies.length === 0) return null;
  // All machines where they are is what every policy is held to.
  const asked = POLICIES.filter(({ id }) => id === 'dvfs' || state.policies.includes(id));
  const load: JsonObject =
    uploaded && trace
      ? { trace: { ...traceRef(trace) }, duration_h: null }
      : {
          generated: {
            machines_count: state.machines_count,
            mean_fraction: state.mean_fraction,
            spread_ratio: state.spread_ratio,
            swing_fraction: state.swing_fraction,
            noise_fraction: state.noise_fraction,
          },
        };
  return {
    ...load,
    ...(state.estate === 'servers' ? serverEstate(state, count) : {}),
    overhead_w: state.moving_w,
    wake_j: state.wake_kj * 1000,
    policies: asked.flatMap(({ id }) => policyDocument(id, state.threshold_fraction)),
  };
}

// The first hour begins with every machine where it was placed, and shows no policy yet.
const SETTLES_H = 1;

/** Most servers on at once, after the first hour; null where nothing is said over time. */
export function peakOn(day: Day): number | null {
  const settled = day.series.filter(({ at_h }) => at_h > SETTLES_H);
  const points = settled.length > 0 ? settled : day.series;
  return points.length > 0 ? Math.max(...points.map((point) => point.hosts_on_count)) : null;
}

const isStill = (day: Day) => day.policy === 'NPA' || day.policy === 'DVFS';

/** The day that a policy is held to: everything on, power following the load. */
export function stillDay(replay: Replay): Day | undefined {
  return replay.days.find((day) => day.policy === 'DVFS');
}

/** The policy with the least energy times broken service; the article's own measure. */
export function bestDay(replay: Replay): Day | undefined {
  const moving = replay.days.filter((day) => !isStill(day));
  return moving.reduce<Day | undefined>(
    (least, day) => (least === undefined || day.esv_kwh < least.esv_kwh ? day : least),
    undefined,
  );
}

const HOURS_PER_YEAR = 8760;

/** What moving and switching drew in the time replayed; null where the run does not say. */
export function movedKwh(day: Day): number | null {
  const { moving_kwh: moving, switching_kwh: switching } = day;
  return moving === undefined || switching === undefined ? null : moving + switching;
}

/** All that was drawn: the machines' energy, moving and switching. */
export function drawnKwh(day: Day): number {
  return day.energy_kwh + (movedKwh(day) ?? 0);
}

/** What moving and switching cost in a year of such days, for which they are taken off. */
function movesText(replay: Replay, day: Day, price: EnergyPrice): string {
  const drawn = movedKwh(day);
  if (drawn === null || replay.duration_h <= 0) {
    return 'Energy of moving and switching is not counted in this run; replay it to see it.';
  }
  const perYear = (HOURS_PER_YEAR / replay.duration_h) * (price.pue ?? 1);
  const year = savedText(savedBy(drawn * perYear, price), money);
  return (
    `Moving uses ${quantity(day.moving_kwh, 'kWh')} and switching ${quantity(day.switching_kwh, 'kWh')}, ` +
    `with ${(day.switches_count ?? 0).toLocaleString('en-GB')} servers switched on: ${year} a year, already taken off what is saved.`
  );
}

/** What a year of such days saves against leaving all machines where they are. */
export function savingOf(replay: Replay, day: Day, price: EnergyPrice): Saved | null {
  const still = stillDay(replay);
  if (!still || replay.duration_h <= 0) return null;
  const perYear = HOURS_PER_YEAR / replay.duration_h;
  const kwh = (drawnKwh(still) - drawnKwh(day)) * perYear * (price.pue ?? 1);
  return savedBy(kwh, price);
}

/** These 40 servers fit on 23 … at this risk. */
export function replaySentence(replay: Replay, day: Day | undefined, price: EnergyPrice): string {
  if (!day) return 'Choose a policy that moves machines to see what consolidation saves.';
  const peak = peakOn(day);
  const saving = savingOf(replay, day, price);
  const saved =
    saving && saving.kwh > 0
      ? `, saving ${savedText(saving, money)} a year`
      : ', and nothing is saved';
  const risk =
    day.slatah_fraction === 0
      ? 'no host reaches 100% CPU'
      : `hosts are at 100% CPU for ${percent(day.slatah_fraction)} of their active time (SLATAH)`;
  return (
    `**These ${replay.hosts_count} servers fit on ${peak ?? '—'}** under ${day.policy}` +
    `${saved}, at this risk: ${risk}.`
  );
}

export function replayMore(replay: Replay, day: Day | undefined, price: EnergyPrice): string {
  if (!day) return '';
  const days = replay.duration_h / 24;
  return (
    `${significant(day.hosts_on_mean_count)} servers are on in the mean, and at most ${peakOn(day) ?? '—'} ` +
    'after the first hour, with ' +
    `${day.migrations_count.toLocaleString('en-GB')} moves in ${days === 1 ? 'a day' : `${Number(days.toPrecision(3))} days`}. ${movesText(replay, day, price)} ` +
    'Memory counts for the time that a move takes, not for what fits on a server; cooling follows the PUE. ' +
    carbonSource(price)
  );
}

/** Energy since the start at each point; thinned series still end at the day's energy. */
export function cumulated(day: Day): number[] {
  let sum = 0;
  const sums = day.series.map((point) => (sum += point.energy_kwh));
  const scale = sum > 0 ? day.energy_kwh / sum : 1;
  return sums.map((value) => value * scale);
}
