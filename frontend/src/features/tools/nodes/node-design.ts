import { quantity } from '../../../lib/format';
import { isObject, read, type JsonObject } from '../../../lib/pointer';
import type { Study } from '../../../lib/types';
import { rate, type NodeRank, type Place } from './nodes';
import { number, text, type Row } from '../frame/table';

/** What a study's service asks for, as far as the map knows of it. */
export interface Service {
  query_rate_per_s: number;
  dataset_tb: number;
  copies_count: number;
  service_ms: number;
}

/** As the schema of a service has them. */
const COPIES = 3;
const SERVICE_MS = 1;

const MS_PER_S = 1000;
const GB_PER_TB = 1000;
const BYTES_PER_GIB_OVER_GB = 1.073741824;

/** Whether the study's work is a demand, which may have a service in it. */
export const isDemand = (study: Study | undefined): boolean =>
  read(study?.workload, '/kind') === 'demand';

/** The service of the study's workload; null where it has none. */
export function serviceOf(study: Study | undefined): Service | null {
  const held = read(study?.workload, '/service');
  if (!isDemand(study) || !isObject(held)) return null;
  const value = (key: string, otherwise: number) => {
    const found = held[key];
    return typeof found === 'number' ? found : otherwise;
  };
  return {
    query_rate_per_s: value('query_rate_per_s', 0),
    dataset_tb: value('dataset_tb', 0),
    copies_count: value('copies_count', COPIES),
    service_ms: value('service_ms', SERVICE_MS),
  };
}

/** The chosen place as the service of the study; what else a service says stays. */
export function withPlace(study: Study, place: Place): JsonObject {
  const { query_rate_per_s, dataset_tb, copies_count } = place;
  const before = read(study.workload, '/service');
  return {
    ...study.workload,
    service: {
      ...(isObject(before) ? before : { service_ms: SERVICE_MS }),
      query_rate_per_s,
      dataset_tb,
      copies_count,
    },
  };
}

/** 40 TB at 3 M queries/s, 3 copies. */
export function workText(work: Omit<Service, 'service_ms'>): string {
  const copies = work.copies_count === 1 ? 'one copy' : `${work.copies_count} copies`;
  return `${quantity(work.dataset_tb, 'TB')} at ${rate(work.query_rate_per_s)}, ${copies}`;
}

function store(row: Row | undefined, held_gb: number): JsonObject {
  if (row && text(row, 'store') === 'memory') {
    return { ram_gib: held_gb / BYTES_PER_GIB_OVER_GB, data_in: 'memory' };
  }
  const disk = row && text(row, 'store') === 'disk';
  const drives = {
    per_node_count: 1,
    capacity_tb: held_gb / GB_PER_TB,
    kind: disk ? 'hdd' : 'ssd',
    copies_count: 1,
  };
  return { drives, data_in: 'drives' };
}

/**
 * The design that buys such nodes: an owned cluster of one group, which the study's service
 * sizes. A node counts as one server of queries. Without a service the nodes are those counted.
 */
export function designOf(
  rank: NodeRank,
  row: Row | undefined,
  service: Service | null,
): JsonObject {
  const value = (key: string) => (row && number(row, key)) ?? 0;
  const bought = {
    name: rank.name.slice(0, 80),
    duty_fraction: 1,
    price: { kind: 'typed', unit_price_usd: value('price_usd') },
    power: { kind: 'constant', power_w: value('power_w') },
  };
  if (service === null) {
    return {
      node_groups: [
        {
          ...bought,
          role: 'other',
          count: rank.whole_nodes_count,
          note: 'Chosen on the map of node types; it says what they serve and hold.',
        },
      ],
    };
  }
  const speed = (value('rate_per_s') * service.service_ms) / MS_PER_S;
  return {
    node_groups: [
      {
        ...bought,
        role: 'service',
        cores_per_node_count: 1,
        perf_per_core_ratio: Number(speed.toPrecision(12)),
        ...store(row, value('capacity_gb')),
        note:
          `A node counts as one server of ${rate(value('rate_per_s'))} and holds ` +
          `${quantity(value('capacity_gb'), 'GB')}, as on the map of node types.`,
      },
    ],
  };
}
