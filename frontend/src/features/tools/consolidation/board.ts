import { money, percent, quantity, significant } from '../../../lib/format';
import type { JsonObject } from '../../../lib/pointer';
import { carbonSource, savedBy, savedText, type EnergyPrice, type Saved } from '../frame/price';
import { moreFaults, moreParams, slowingOf } from './board-more';
import { missing, number, text, type Column, type Row } from '../frame/table';

export const PLAN_MODEL = 'consolidation.plan';
export const RESOURCES = ['cpu', 'disk', 'memory', 'network'] as const;
export const RESOURCE_NAMES: Record<string, string> = {
  cpu: 'CPU',
  disk: 'disk',
  memory: 'memory',
  network: 'network',
};

export type Policy = 'greedy2008' | 'exact' | 'search';
export type Apart = 'server' | 'rack' | 'power_line';

export interface ServerLoad {
  server_count: number;
  kind: string;
  applications: string[];
  load_fraction: number[];
  degradation_ratio: number;
  power_w: number;
}

export interface Move {
  id: string;
  source_count: number;
  target_count: number;
  duration_s: number;
  energy_j: number;
}

export interface PlanAnswer {
  status: 'ok' | 'infeasible';
  reason: string | null;
  solver: string;
  placement: { id: string; server_count: number }[];
  servers: ServerLoad[];
  servers_on_count: number;
  power_w: number;
  effective_power_w: number;
  bound_w: number | null;
  gap_fraction: number | null;
  binding: string | null;
  moves: Move[];
  overhead_j: number;
  saving_w: number | null;
  net_saving_j: number | null;
  moving_pays: boolean | null;
  shortest_sleep_s: number | null;
}

export interface BoardState {
  applications: Row[];
  servers: Row[];
  policy: Policy;
  limit_fraction: number;
  hold_h: number;
  /** Applications that stand apart must not share this. */
  apart: Apart;
  servers_per_rack: number;
  power_lines: number;
  wake_kj: number;
  /** Services, tolerance, slowing and migration, as the form of the model's schema has them. */
  more: JsonObject;
}

export const APP_COLUMNS: readonly Column[] = [
  { key: 'id', label: 'Application', kind: 'text', width: 96 },
  { key: 'cpu', label: 'CPU', unit: '%', kind: 'number', width: 52 },
  { key: 'disk', label: 'Disk', unit: '%', kind: 'number', width: 52 },
  { key: 'memory', label: 'Memory', unit: '%', kind: 'number', width: 60 },
  { key: 'network', label: 'Network', unit: '%', kind: 'number', width: 60 },
  { key: 'memory_gb', label: 'To copy', unit: 'GB', kind: 'number', optional: true, width: 60 },
  { key: 'server', label: 'Server today', kind: 'number', optional: true, width: 72 },
  { key: 'together', label: 'Together with', kind: 'text', optional: true, width: 96 },
  { key: 'apart', label: 'Apart from', kind: 'text', optional: true, width: 96 },
  { key: 'allowed', label: 'May run on', kind: 'text', optional: true, width: 96 },
];

export const SERVER_COLUMNS: readonly Column[] = [
  { key: 'name', label: 'Kind', kind: 'text', width: 96 },
  { key: 'count', label: 'Servers', kind: 'number', width: 60 },
  { key: 'size', label: 'Size', unit: '×', kind: 'number', width: 52 },
  { key: 'idle_w', label: 'Idle', unit: 'W', kind: 'number', width: 56 },
  { key: 'full_w', label: 'Full load', unit: 'W', kind: 'number', width: 64 },
];

function app(id: string, loads: [number, number, number, number], server: number): Row {
  const [cpu, disk, memory, network] = loads;
  const known = { id, cpu, disk, memory, network, memory_gb: 8, server };
  return { ...known, together: '', apart: '', allowed: '' };
}

const EXAMPLE_APPS: Row[] = [
  { ...app('web 1', [22, 4, 14, 18], 1), apart: 'web 2' },
  { ...app('web 2', [22, 4, 14, 18], 2), apart: 'web 1' },
  { ...app('shop', [30, 8, 20, 12], 1), together: '' },
  { ...app('orders db', [18, 34, 30, 6], 3), apart: 'orders copy' },
  { ...app('orders copy', [10, 30, 30, 6], 4), apart: 'orders db' },
  app('search', [26, 12, 26, 8], 5),
  app('mail', [8, 22, 12, 6], 5),
  app('files', [4, 30, 8, 14], 6),
  app('reports', [16, 10, 12, 4], 6),
  app('build', [28, 16, 12, 4], 7),
  app('wiki', [4, 4, 6, 3], 7),
  app('monitor', [8, 14, 10, 10], 8),
  app('queue', [6, 6, 8, 8], 8),
  app('auth', [5, 2, 5, 4], 2),
];

export const BOARD_START: BoardState = {
  applications: EXAMPLE_APPS,
  servers: [{ name: 'server', count: 8, size: 1, idle_w: 150, full_w: 280 }],
  policy: 'search',
  limit_fraction: 0.8,
  hold_h: 24,
  apart: 'server',
  servers_per_rack: 4,
  power_lines: 2,
  wake_kj: 8.4,
  more: {},
};

const list = (row: Row, key: string) =>
  text(row, key)
    .split(/[;|]/)
    .map((name) => name.trim())
    .filter(Boolean);

export function serversCount(servers: readonly Row[]): number {
  return servers.reduce((sum, row) => sum + (number(row, 'count') ?? 0), 0);
}

/** Where each application runs today, counted from 0; null unless all say so. */
export function today(apps: readonly Row[], servers: readonly Row[]): number[] | null {
  const places = apps.map((row) => (number(row, 'server') ?? 0) - 1);
  const last = serversCount(servers);
  return places.length > 0 && places.every((at) => at >= 0 && at < last) ? places : null;
}

/** What keeps the tables from being planned, one sentence each. */
export function boardFaults(state: BoardState): string[] {
  const faults = [
    ...state.applications.flatMap((row, at) =>
      missing(row, APP_COLUMNS).map((label) => `Application ${at + 1}: enter its ${label}.`),
    ),
    ...state.servers.flatMap((row, at) =>
      missing(row, SERVER_COLUMNS).map((label) => `Kind of server ${at + 1}: enter its ${label}.`),
    ),
  ];
  if (state.applications.length === 0) faults.push('Enter at least one application.');
  if (state.servers.length === 0) faults.push('Enter at least one kind of server.');
  const kinds = state.servers.map((row) => text(row, 'name'));
  const allowed = (row: Row) => list(row, 'allowed');
  return [...faults, ...moreFaults(state.applications, kinds, allowed, state.more)];
}

function curves(row: Row, limit: number, more: JsonObject): JsonObject[] {
  const capacity_ratio = number(row, 'size') ?? 1;
  const above = Math.max(0, (number(row, 'full_w') ?? 0) - (number(row, 'idle_w') ?? 0));
  return RESOURCES.map((resource) => ({
    capacity_ratio,
    limit_fraction: limit,
    // SPECpower loads the processor: the watts above idle are its own.
    power_w: resource === 'cpu' ? above : 0,
    ...slowingOf(more, resource),
  }));
}

export function planParams(state: BoardState): JsonObject | null {
  if (boardFaults(state).length > 0) return null;
  const { applications, servers, policy, limit_fraction: limit } = state;
  return {
    resources: [...RESOURCES],
    work_ratio: [1, 0.8, 0, 0],
    applications: applications.map((row) => ({
      id: text(row, 'id'),
      demand_fraction: RESOURCES.map((key) => (number(row, key) ?? 0) / 100),
      memory_gb: number(row, 'memory_gb'),
      together_with: list(row, 'together'),
      apart_from: list(row, 'apart'),
      allowed: list(row, 'allowed'),
      apart: state.apart,
    })),
    servers: servers.map((row) => ({
      name: text(row, 'name'),
      servers_count: number(row, 'count') ?? 1,
      power_idle_w: number(row, 'idle_w') ?? 0,
      curves: curves(row, limit, state.more),
      wake_j: state.wake_kj * 1000,
    })),
    servers_per_rack_count: state.servers_per_rack,
    power_lines_count: state.power_lines,
    solver: policy,
    box_fraction: policy === 'greedy2008' ? RESOURCES.map(() => limit) : null,
    current_server_count: today(applications, servers),
    hold_s: state.hold_h * 3600,
    ...moreParams(state.more),
  };
}

export interface Block {
  id: string;
  /** Share of the server, for each resource in order. */
  shares: number[];
}

export interface Stack {
  /** Counted from 1, as in the table. */
  server: number;
  kind: string;
  blocks: Block[];
}

function kindsInOrder(servers: readonly Row[]): { kind: string; size: number }[] {
  return servers.flatMap((row) =>
    Array.from({ length: number(row, 'count') ?? 0 }, () => ({
      kind: text(row, 'name'),
      size: number(row, 'size') ?? 1,
    })),
  );
}

/** Every server with the applications on it, the empty ones too. */
export function stacks(
  applications: readonly Row[],
  servers: readonly Row[],
  places: readonly number[],
): Stack[] {
  return kindsInOrder(servers).map(({ kind, size }, at) => ({
    server: at + 1,
    kind,
    blocks: applications.flatMap((row, app) =>
      places[app] === at
        ? [
            {
              id: text(row, 'id'),
              shares: RESOURCES.map((key) => (number(row, key) ?? 0) / 100 / size),
            },
          ]
        : [],
    ),
  }));
}

/** The plan's places in the order of the table. */
export function placesOf(plan: PlanAnswer, applications: readonly Row[]): number[] {
  const by = new Map(plan.placement.map(({ id, server_count }) => [id, server_count]));
  return applications.map((row) => by.get(text(row, 'id')) ?? -1);
}

export const HOURS_PER_YEAR = 8760;

/** Kilowatt hours, money and carbon of a year of so many watts less, cooling included. */
export function yearOf(watts: number, price: EnergyPrice): Saved {
  return savedBy((watts / 1000) * HOURS_PER_YEAR * (price.pue ?? 1), price);
}

export function boardSentence(plan: PlanAnswer, before: number | null, price: EnergyPrice): string {
  if (plan.status === 'infeasible') return `**No plan.** ${plan.reason ?? ''}`;
  const binds = plan.binding
    ? ` ${capital(RESOURCE_NAMES[plan.binding] ?? plan.binding)} is fullest.`
    : '';
  if (before === null || plan.saving_w === null) {
    return `**These applications fit on ${plan.servers_on_count} servers**, which draw ${quantity(plan.power_w, 'W')}.${binds}`;
  }
  if (plan.saving_w <= 0) {
    return `**What runs on ${before} servers stays there**: no plan found uses less power.${binds}`;
  }
  const fits =
    plan.servers_on_count < before
      ? `**These ${before} servers fit on ${plan.servers_on_count}**`
      : `**${before} servers stay on, more evenly loaded**`;
  return `${fits}, saving ${savedText(yearOf(plan.saving_w, price), money)} a year with ${plan.moves.length} moves.${binds}`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** What is known about better plans, and whether moving pays. */
export function boardMore(plan: PlanAnswer, price: EnergyPrice): string {
  if (plan.status === 'infeasible') return '';
  const saves = plan.saving_w !== null && plan.saving_w > 0;
  return boundAndMoves(plan) + (saves ? ` ${carbonSource(price)}` : '');
}

function boundAndMoves(plan: PlanAnswer): string {
  const gap =
    plan.gap_fraction === null
      ? 'How far this is from the best plan is not known: this policy has no bound.'
      : plan.gap_fraction < 5e-4
        ? 'No plan uses less power: the bound is reached.'
        : `No plan can use ${percent(plan.gap_fraction)} less power than this: the bound is ${quantity(plan.bound_w, 'W')}.`;
  if (plan.moving_pays === null) return gap;
  const pays = plan.moving_pays
    ? ` Moving takes ${quantity(plan.overhead_j, 'J')} and pays while the plan is kept.`
    : ` Moving takes ${quantity(plan.overhead_j, 'J')} and does not pay in the time that the plan is kept.`;
  const sleep =
    plan.shortest_sleep_s === null
      ? ''
      : ` Switching a server off pays from ${significant(plan.shortest_sleep_s)} s on.`;
  return gap + pays + sleep;
}
