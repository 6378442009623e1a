import type { DesignResult } from '../../lib/comparison';
import { quantity } from '../../lib/format';
import { isObject, read, type Json, type JsonObject } from '../../lib/pointer';
import type { Design } from '../../lib/types';

export interface RackGroup {
  name: string;
  /** Nodes in the last year; null while nothing says how many. */
  count: number | null;
  /** Provisioned power of one node; null where it is not known. */
  power_w: number | null;
}

export interface RackEquipment {
  name: string;
  count: number;
  power_w: number;
}

export interface Rack {
  /** The group of each node, from the bottom up. */
  nodes: number[];
  equipment: RackEquipment[];
  power_w: number | null;
}

export interface Racked {
  groups: RackGroup[];
  racks: Rack[];
  slots: number;
  nodes: number;
  power_w: number | null;
}

/** The design whose nodes are racked: itself, or the owned design that a hybrid names. */
export function rackedDesign(design: Design, designs: readonly Design[]): Design | null {
  if (design.kind === 'owned_cluster') return design;
  if (design.kind !== 'hybrid') return null;
  const letter = read(design.spec, '/owned_letter');
  const named = designs.find((one) => one.letter === letter);
  return named?.kind === 'owned_cluster' ? named : null;
}

/**
 * The cluster in the racks of a design. The nodes that are typed into the owned design are its
 * own: a hybrid owns what the comparison sizes for it, and nothing is known before that.
 */
export function rackedSpec(design: Design, owned: Design): JsonObject {
  if (design.letter === owned.letter) return owned.spec;
  const groups = objects(owned.spec.node_groups);
  return { ...owned.spec, node_groups: groups.map((group) => ({ ...group, count: null })) };
}

const asNumber = (value: Json | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const objects = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** Highest draw of a node by its power curve. [W] */
function peakOf(power: Json | undefined): number | null {
  if (!isObject(power)) return null;
  if (power.kind === 'constant') return asNumber(power.power_w);
  if (power.kind === 'points') return asNumber(objects(power.points).at(-1)?.power_w);
  return asNumber(power.peak_w);
}

function provisioned(group: JsonObject, ratio: number): number | null {
  const given = asNumber(group.provisioned_w);
  if (given !== null) return given * ratio;
  const peak = peakOf(group.power);
  return peak === null ? null : (peak + (asNumber(group.adder_w) ?? 0)) * ratio;
}

/** Nodes of a group as the comparison sized it in its last year, else as typed. */
function countOf(group: JsonObject, result: DesignResult | undefined): number | null {
  const last = result?.sizing.at(-1)?.groups.find(({ name }) => name === group.name);
  return last?.count ?? asNumber(group.count);
}

function groupsOf(spec: JsonObject, result: DesignResult | undefined): RackGroup[] {
  const ratio = asNumber(spec.provision_ratio) ?? 1;
  return objects(spec.node_groups).map((group, at) => ({
    name: typeof group.name === 'string' && group.name ? group.name : `Group ${at + 1}`,
    count: countOf(group, result),
    power_w: provisioned(group, ratio),
  }));
}

function equipmentOf(spec: JsonObject): RackEquipment[] {
  return objects(spec.equipment).flatMap((one) => {
    const count = Math.round(asNumber(one.count) ?? 1);
    const name = typeof one.name === 'string' ? one.name : 'Equipment';
    return Array.from({ length: Math.max(0, Math.min(count, 200)) }, () => ({
      name,
      count: 1,
      power_w: asNumber(one.power_w) ?? 0,
    }));
  });
}

function added(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>(
    (sum, value) => (sum === null || value === null ? null : sum + value),
    0,
  );
}

/**
 * A cluster in racks: nodes fill one rack after the other, switches and the like are dealt to
 * the racks by turns. Power is what is provisioned; unknown where one node's power is.
 */
export function racked(
  spec: JsonObject,
  result: DesignResult | undefined,
  defaultSlots: number,
): Racked {
  const slots = asNumber(read(spec, '/racks/nodes_per_rack_count')) ?? defaultSlots;
  const groups = groupsOf(spec, result);
  const nodes = groups.flatMap(({ count }, at) =>
    Array.from({ length: Math.max(0, Math.ceil(count ?? 0)) }, () => at),
  );
  const racksCount = Math.ceil(nodes.length / Math.max(1, slots));
  const equipment = equipmentOf(spec);
  const racks = Array.from({ length: racksCount }, (_, rack): Rack => {
    const here = nodes.slice(rack * slots, (rack + 1) * slots);
    const beside = equipment.filter((__, at) => at % racksCount === rack);
    const watts = here.map((at) => groups[at]?.power_w ?? null);
    return {
      nodes: here,
      equipment: beside,
      power_w: added([...watts, ...beside.map(({ power_w }) => power_w)]),
    };
  });
  return { groups, racks, slots, nodes: nodes.length, power_w: added(racks.map((r) => r.power_w)) };
}

export interface Budget {
  title: string;
  power_w: number;
}

/** What fills a rack first: its slots, or the power that it may draw. */
export function rackBinds(cluster: Racked, budget: Budget | null): string {
  const fullest = Math.max(0, ...cluster.racks.map(({ nodes }) => nodes.length));
  const draws = cluster.racks.map(({ power_w }) => power_w);
  if (budget === null) return 'Choose a rack to see whether space or power binds.';
  if (draws.some((watts) => watts === null)) {
    return 'Whether power binds is not known: the power of a node is not given.';
  }
  const most = Math.max(0, ...draws.map((watts) => watts ?? 0));
  if (most > budget.power_w) {
    return `Power binds: a rack would draw ${quantity(most, 'W')} of ${quantity(budget.power_w, 'W')}. Put fewer nodes in a rack.`;
  }
  const space = fullest / cluster.slots;
  const power = most / budget.power_w;
  return power > space
    ? `Power binds first: ${Math.round(power * 100)}% of what a rack may draw is provisioned.`
    : `Space binds first: ${fullest} of ${cluster.slots} places of the fullest rack are taken.`;
}
