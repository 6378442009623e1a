import { isObject, write, type Json, type JsonObject } from '../../../lib/pointer';
import type { CatalogueEntry, Study } from '../../../lib/types';

/** What a server or a design says of a cluster: its fields by pointer, and what it does not say. */
export interface Taken {
  name: string;
  values: JsonObject;
  /** Fields that nothing is known of; they stay as they were. */
  missing: string[];
  /** Without a price it is counted as free. */
  isPriced: boolean;
}

interface Node {
  name: string;
  nodes: number | null;
  cores: number | null;
  threads: number | null;
  speed: number | null;
  disks: number | null;
  disk_mb_per_s: number | null;
  nic_gbit_per_s: number | null;
  idle_w: number | null;
  peak_w: number | null;
  price_usd: number | null;
}

const MB_PER_S_PER_GBIT_PER_S = 125;
const NAME_LENGTH = 120;

const NOTHING_BESIDE_W = {
  'power/fixed_w': 0,
  'power/disk_idle_w': 0,
  'power/disk_dynamic_w': 0,
  'power/port_w': 0,
};
const NOTHING_BESIDE_USD = { 'price/fixed_usd': 0, 'price/disk_usd': 0 };

const positive = (value: Json | undefined) =>
  typeof value === 'number' && value > 0 ? value : null;

/** Watts and dollars of a node hold its disks and ports; a cluster of such has nothing beside. */
function taken(node: Node): Taken {
  const { cores, idle_w, peak_w, price_usd } = node;
  const missing = [];
  const values: JsonObject = { name: node.name.slice(0, NAME_LENGTH) };
  const put = (key: string, value: number | null) => {
    if (value !== null) values[key] = value;
  };
  put('nodes_count', node.nodes);
  if (cores === null) missing.push('cores');
  else {
    values.cores_per_node_count = cores;
    values.slots_per_node_count = cores;
    values.threads_per_node_count = Math.max(node.threads ?? cores, cores);
  }
  put('core_speed_ratio', node.speed);
  put('disk_mb_per_s', node.disk_mb_per_s);
  put(
    'port_mb_per_s',
    node.nic_gbit_per_s === null ? null : node.nic_gbit_per_s * MB_PER_S_PER_GBIT_PER_S,
  );
  if (idle_w === null || peak_w === null) missing.push('power');
  else {
    Object.assign(values, NOTHING_BESIDE_W);
    values['power/node_idle_w'] = idle_w;
    values['power/node_dynamic_w'] = Number((peak_w - idle_w).toPrecision(9));
  }
  Object.assign(values, NOTHING_BESIDE_USD, { 'price/node_usd': price_usd ?? 0 });
  put('disks_per_node', node.disks);
  return { name: node.name, values, missing, isPriced: price_usd !== null };
}

/** A server of the catalogue as the node of a cluster. */
export function ofServer(entry: CatalogueEntry): Taken {
  const value = (field: string) => positive(entry.values[field]?.value as Json | undefined);
  return taken({
    name: entry.title,
    nodes: null,
    cores: value('cores_per_node_count'),
    threads: value('threads_per_node_count'),
    speed: value('perf_per_core_ratio'),
    disks: value('disks_count'),
    disk_mb_per_s: null,
    nic_gbit_per_s: value('nic_gbit_per_s'),
    idle_w: value('idle_w'),
    peak_w: value('peak_w'),
    price_usd: value('unit_price_usd'),
  });
}

const held = (value: Json | undefined, key: string) => (isObject(value) ? value[key] : undefined);
const kept = (value: Json | undefined) => 1 - (positive(value) ?? 0);

function priceOf(price: Json | undefined, nodes: number | null): number | null {
  if (!isObject(price)) return null;
  const total = positive(price.total_usd);
  if (price.kind === 'lump') return total === null || nodes === null ? null : total / nodes;
  if (price.kind !== 'parts') {
    const unit = positive(price.unit_price_usd);
    return unit === null ? null : unit * kept(price.discount_fraction);
  }
  const parts = Array.isArray(price.parts) ? price.parts : [];
  const sum = parts.reduce<number>((held_usd, part) => {
    const [count, unit] = [held(part, 'count'), held(part, 'unit_price_usd')];
    const each = (positive(count) ?? 0) * (positive(unit) ?? 0);
    const index = positive(held(part, 'index_ratio')) ?? 1;
    return held_usd + each * kept(held(part, 'discount_fraction')) * index;
  }, 0);
  return sum > 0 ? sum * kept(price.discount_fraction) : null;
}

function endsOf(group: JsonObject): [number | null, number | null] {
  const { power } = group;
  const adder = positive(group.adder_w) ?? 0;
  const points = held(power, 'points');
  const list = Array.isArray(points) ? points : null;
  const constant = held(power, 'power_w');
  const idle = list ? held(list[0], 'power_w') : (constant ?? held(power, 'idle_w'));
  const peak = list ? held(list.at(-1), 'power_w') : (constant ?? held(power, 'peak_w'));
  const both = typeof idle === 'number' && typeof peak === 'number';
  return both ? [idle + adder, peak + adder] : [null, null];
}

function ofGroup(title: string, group: JsonObject, several: boolean): Taken {
  const { drives } = group;
  const nodes = positive(group.count);
  const [idle_w, peak_w] = endsOf(group);
  const node = priceOf(group.price, nodes);
  const disks = positive(held(drives, 'per_node_count'));
  const drives_usd = (disks ?? 0) * (positive(held(drives, 'unit_price_usd')) ?? 0);
  return taken({
    name: several ? `${title}: ${String(group.name ?? '')}` : title,
    nodes,
    cores: positive(group.cores_per_node_count),
    threads: null,
    speed: positive(group.perf_per_core_ratio) ?? 1,
    disks,
    disk_mb_per_s: positive(held(drives, 'throughput_mb_per_s')),
    nic_gbit_per_s: positive(group.nic_gbit_per_s),
    idle_w,
    peak_w,
    price_usd: node === null ? null : node + drives_usd,
  });
}

/** The groups of nodes that a study's designs own, each as a cluster. */
export function ofDesigns(study: Study | undefined): Taken[] {
  return (study?.designs ?? []).flatMap(({ letter, title, spec }) => {
    const groups = Array.isArray(spec.node_groups) ? spec.node_groups.filter(isObject) : [];
    return groups.map((group) => ofGroup(`${letter}, ${title}`, group, groups.length > 1));
  });
}

/** What is written where when a cluster is taken: as many nodes as there were unless it says. */
export function taking(found: Taken, clusters: readonly Json[], at: number): JsonObject {
  const { disks_per_node, ...values } = found.values;
  const before = clusters[at];
  const nodes = positive(values.nodes_count) ?? positive(held(before, 'nodes_count')) ?? 1;
  const others = clusters.filter((_, place) => place !== at).map((one) => held(one, 'name'));
  const name = others.includes(values.name)
    ? `${String(values.name).slice(0, 110)} (${at + 1})`
    : values.name;
  const written = {
    ...values,
    name,
    disks_count: Math.max(1, nodes * (positive(disks_per_node) ?? 1)),
    ports_count: nodes,
    settings: [],
  };
  return Object.fromEntries(
    Object.entries(written).map(([key, value]) => [`/clusters/${at}/${key}`, value as Json]),
  );
}

/** The inputs with a cluster taken in place of one. */
export function withTaken(params: JsonObject, found: Taken, at: number): JsonObject {
  const clusters = Array.isArray(params.clusters) ? params.clusters : [];
  const written = Object.entries(taking(found, clusters, at)).reduce<Json>(
    (held, [pointer, value]) => write(held, pointer, value),
    params,
  );
  return isObject(written) ? written : params;
}

/** What is not known of a cluster that was taken. */
export function takenText({ missing, isPriced }: Taken): string {
  const held_in = 'Watts and dollars of a node have its disks and ports in them.';
  const speed = 'Speeds of cores are against a reference core of today, and so are times of tasks.';
  const lacks = missing.length > 0 ? ` Not known, and left as it was: ${missing.join(', ')}.` : '';
  const price = isPriced
    ? ''
    : ' Its price is not known: until you enter it, dollars are energy alone.';
  return `${held_in} ${speed}${lacks}${price}`;
}
