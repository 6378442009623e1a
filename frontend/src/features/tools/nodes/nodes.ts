import { money, quantity, significant } from '../../../lib/format';
import type { JsonObject } from '../../../lib/pointer';
import type { CatalogueEntry } from '../../../lib/types';
import { missing, number, text, type Column, type Row } from '../frame/table';

export const NODE_MODEL = 'performance.kv_node_choice';

export type Reason = 'capacity' | 'rate';

export interface NodeRank {
  name: string;
  nodes_count: number;
  cost_usd: number;
  power_w: number;
  reason: Reason;
}

export interface NodeMap {
  winner: string;
  ranking: NodeRank[];
  map_names: string[];
  map_datasets_tb: number[];
  map_query_rates_per_s: number[];
  map_winners: number[][];
  map_cells: { nodes_count: number; cost_usd: number; reason: Reason }[][];
  boundaries: { query_rate_per_s_per_gb: number; below: string; above: string }[];
}

export interface NodeState {
  dataset_tb: number;
  query_rate_per_s: number;
  copies_count: number;
  lifetime_years: number;
  electricity_usd_per_kwh: number;
  pue: number;
  whole_nodes: boolean;
  dataset_low_tb: number;
  dataset_high_tb: number;
  query_rate_low_per_s: number;
  query_rate_high_per_s: number;
  /** Empty: the node types of the paper. */
  nodes: Row[] | null;
}

export const NODE_START: NodeState = {
  dataset_tb: 10,
  query_rate_per_s: 1e6,
  copies_count: 1,
  lifetime_years: 3,
  electricity_usd_per_kwh: 0.1,
  pue: 1,
  whole_nodes: true,
  dataset_low_tb: 0.1,
  dataset_high_tb: 10_000,
  query_rate_low_per_s: 1e5,
  query_rate_high_per_s: 1e9,
  nodes: null,
};

export const NODE_COLUMNS: readonly Column[] = [
  { key: 'name', label: 'Node', kind: 'text', width: 168 },
  { key: 'price_usd', label: 'Price', unit: 'USD', kind: 'number' },
  { key: 'power_w', label: 'Power', unit: 'W', kind: 'number' },
  { key: 'rate_per_s', label: 'Queries', unit: '1/s', kind: 'number', width: 76 },
  { key: 'capacity_gb', label: 'Holds', unit: 'GB', kind: 'number' },
];

const STEPS = 4;

/** Rows that the model can take: every value known, and another name than those above. */
export function knownNodes(rows: readonly Row[]): Row[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const name = text(row, 'name');
    const positive = ['rate_per_s', 'capacity_gb'].every((key) => (number(row, key) ?? 0) > 0);
    if (missing(row, NODE_COLUMNS).length > 0 || !positive || seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

/** Why rows are left out of the map, one sentence each. */
export function leftOut(rows: readonly Row[]): string[] {
  const known = new Set(knownNodes(rows));
  return rows
    .filter((row) => !known.has(row))
    .map((row) => {
      const lacks = missing(row, NODE_COLUMNS);
      const name = text(row, 'name') || 'A row without a name';
      if (lacks.length > 0) return `${name} is left out: its ${lacks.join(', ')} is not known.`;
      const zero = ['rate_per_s', 'capacity_gb'].some((key) => !((number(row, key) ?? 0) > 0));
      return zero
        ? `${name} is left out: it must serve and hold more than nothing.`
        : `${name} is left out: another row has its name.`;
    });
}

export function nodeParams(state: NodeState, rows: readonly Row[]): JsonObject | null {
  const nodes = knownNodes(rows);
  if (nodes.length === 0) return null;
  return {
    dataset_gb: state.dataset_tb * 1000,
    query_rate_per_s: state.query_rate_per_s,
    copies_count: state.copies_count,
    lifetime_years: state.lifetime_years,
    electricity_usd_per_kwh: state.electricity_usd_per_kwh,
    pue: state.pue,
    whole_nodes: state.whole_nodes,
    nodes: nodes.map((row) =>
      Object.fromEntries(
        NODE_COLUMNS.map(({ key, kind }) => [
          key,
          kind === 'text' ? text(row, key) : number(row, key),
        ]),
      ),
    ),
    map: {
      dataset_low_tb: state.dataset_low_tb,
      dataset_high_tb: state.dataset_high_tb,
      query_rate_low_per_s: state.query_rate_low_per_s,
      query_rate_high_per_s: state.query_rate_high_per_s,
      dataset_steps_per_decade: STEPS,
      query_steps_per_decade: STEPS,
    },
  };
}

const GB_PER_GIB = 1.073741824;

export type Store = 'memory' | 'ssd' | 'disk';

/** What the planner takes for servers whose entry does not say it; null leaves it empty. */
export interface Assumed {
  /** Queries a core serves. [1/s] */
  core_rate_per_s: number | null;
  core_price_usd: number | null;
  /** Flash or disks of a node. */
  store_tb: number | null;
}

export const NOTHING_ASSUMED: Assumed = {
  core_rate_per_s: null,
  core_price_usd: null,
  store_tb: null,
};

const product = (one: number | null, other: number | null) =>
  one === null || other === null ? null : one * other;

/** A server of the catalogue as a node type; what neither it nor the planner says stays empty. */
export function nodeOf(
  entry: CatalogueEntry,
  store: Store,
  assumed: Assumed = NOTHING_ASSUMED,
): Row {
  const value = (field: string) => {
    const held = entry.values[field]?.value;
    return typeof held === 'number' ? held : null;
  };
  const cores = value('cores_per_node_count');
  const tb = store === 'ssd' ? value('ssd_tb') : value('disk_tb');
  const disks = store === 'disk' ? (value('disks_count') ?? 1) : 1;
  const ram = value('ram_gib');
  const memory = ram === null ? null : Number((ram * GB_PER_GIB).toPrecision(4));
  const kept = product(tb, disks) ?? assumed.store_tb;
  return {
    name: entry.title,
    store,
    price_usd: value('unit_price_usd') ?? product(cores, assumed.core_price_usd),
    power_w: value('peak_w'),
    rate_per_s:
      value('rate_per_s') ?? value('queries_per_s') ?? product(cores, assumed.core_rate_per_s),
    capacity_gb: store === 'memory' ? memory : product(kept, 1000),
  };
}

export const BINDS: Record<Reason, string> = {
  capacity: 'the data set is the constraint',
  rate: 'the query rate is the constraint',
};

function counted(rank: { nodes_count: number }, name: string): string {
  const count = Number.isInteger(rank.nodes_count)
    ? rank.nodes_count.toLocaleString('en-GB')
    : significant(rank.nodes_count);
  return `${count} × ${name}`;
}

/** A place of the map in words: 313 × FAWN+SSD, $56.3 k a year; the data set binds. */
export function placeText(
  rank: { nodes_count: number; cost_usd: number; reason: Reason },
  name: string,
  years: number,
): string {
  return `${counted(rank, name)}, ${money(rank.cost_usd / years)} a year; ${BINDS[rank.reason]}`;
}

export function nodeSentence(map: NodeMap, state: NodeState): string {
  const [best, next] = map.ranking;
  if (!best) return 'No node type serves this.';
  const where = `${quantity(state.dataset_tb, 'TB')} at ${rate(state.query_rate_per_s)}`;
  const cost = `${money(best.cost_usd / state.lifetime_years)} a year`;
  const head = `For ${where}, **${counted(best, best.name)}** cost least: ${cost}; ${BINDS[best.reason]}.`;
  if (!next) return head;
  const more = money((next.cost_usd - best.cost_usd) / state.lifetime_years);
  return `${head} ${next.name} costs ${more} a year more.`;
}

/** A rate as a planner says it: 1.00 M queries/s. */
export function rate(perS: number): string {
  const scales = [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const;
  const [divide, letter] = scales.find(([from]) => perS >= from) ?? [1, ''];
  const shown = perS / divide;
  const text = Number.isInteger(shown) ? String(shown) : significant(shown);
  return `${text}${letter ? `\u00a0${letter}` : ''} queries/s`;
}
