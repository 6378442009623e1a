import { money, significant } from '../../../lib/format';
import type { JsonObject } from '../../../lib/pointer';
import type { CatalogueEntry } from '../../../lib/types';
import type { Science } from '../../../lib/science';
import type { Row } from '../frame/table';

export type NodeMap = Science['performance.kv_node_choice.Result'];
export type NodeRank = NodeMap['ranking'][number];
export type Reason = NodeRank['reason'];

/** A place on the map. */
export interface Place {
  dataset_tb: number;
  query_rate_per_s: number;
  copies_count: number;
}

const GB_PER_TB = 1000;

const numberIn = (params: JsonObject, key: string) => {
  const value = params[key];
  return typeof value === 'number' ? value : 0;
};

export function placeOf(params: JsonObject): Place {
  return {
    dataset_tb: numberIn(params, 'dataset_gb') / GB_PER_TB,
    query_rate_per_s: numberIn(params, 'query_rate_per_s'),
    copies_count: numberIn(params, 'copies_count'),
  };
}

/** The model's inputs at another place. */
export function withPlaceOf(params: JsonObject, place: Partial<Place>): JsonObject {
  const { dataset_tb, ...others } = place;
  return {
    ...params,
    ...others,
    ...(dataset_tb === undefined ? {} : { dataset_gb: dataset_tb * GB_PER_TB }),
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
  rank: { nodes_count: number; cost_usd_per_year: number; reason: Reason },
  name: string,
): string {
  return `${counted(rank, name)}, ${money(rank.cost_usd_per_year)} a year; ${BINDS[rank.reason]}`;
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
