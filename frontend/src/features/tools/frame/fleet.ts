import type { JsonObject } from '../../../lib/pointer';
import type { BoardState, PlanAnswer } from '../consolidation/board';
import {
  drawnKwh,
  peakOn,
  stillDay,
  type Day,
  type Replay,
  type ReplayState,
} from '../replay/replay';
import type { ClusterAnswer } from '../scaling/scaling';

/** A design of one group of machines, as a tool found them. */
export interface Found {
  title: string;
  spec: JsonObject;
}

interface Fleet {
  title: string;
  name: string;
  count: number;
  /** Of one machine, over the year. */
  power_w: number;
  price_usd: number;
  note: string;
  /** What the study's demand needs to size the group; without it the count stays as found. */
  sized?: { hosts_count: number; cores_count: number; ram_gib: number | null; source: string };
}

function design({ title, name, count, power_w, price_usd, note, sized }: Fleet): Found {
  const group = {
    name: name.slice(0, 80),
    count,
    duty_fraction: 1,
    price: { kind: 'typed', unit_price_usd: price_usd },
    power: { kind: 'constant', power_w: Number(power_w.toPrecision(6)) },
    note,
  };
  const fill = sized && {
    role: 'compute',
    spare_nodes_count: 0,
    cores_per_node_count: sized.cores_count,
    ...(sized.ram_gib === null ? {} : { ram_gib: sized.ram_gib }),
    fill: { hosts_count: sized.hosts_count, source: sized.source },
  };
  return {
    title: title.slice(0, 120),
    spec: { node_groups: [{ role: 'other', ...group, ...fill }] },
  };
}

const W_PER_KW = 1000;

/**
 * The servers of a replay, all on and as a policy needs them. They are there already, so that
 * nothing is bought. In a study of demand, hosts of a known kind are held to the hosts that the
 * policy has on at its busiest.
 */
export function replayDesigns(
  replay: Replay,
  day: Day,
  state: ReplayState,
  isDemand: boolean,
): Found[] {
  const [still, peak] = [stillDay(replay), peakOn(day)];
  if (!still || !peak || replay.duration_h <= 0) return [];
  const { server_name, server_cores, server_ram_gib } = state;
  const kind = state.estate === 'servers' ? server_name : 'HP ProLiant ML110 G4 and G5';
  const cores = state.estate === 'servers' ? server_cores : null;
  const source = `Day replay, ${day.policy}`;
  const watts = (one: Day, hosts: number) => (drawnKwh(one) * W_PER_KW) / replay.duration_h / hosts;
  const fleet = (title: string, count: number, power_w: number, note: string) =>
    design({
      title,
      name: kind,
      count,
      power_w,
      price_usd: 0,
      note: `${note} Nothing is bought: the servers are there.`,
      sized:
        isDemand && cores !== null
          ? { hosts_count: peak, cores_count: cores, ram_gib: server_ram_gib, source }
          : undefined,
    });
  const hosts = replay.hosts_count;
  return [
    fleet(
      `${hosts} servers, nothing moved`,
      hosts,
      watts(still, hosts),
      'Day replay with all servers on; power is their mean.',
    ),
    fleet(
      `${peak} servers under ${day.policy}`,
      peak,
      watts(day, peak),
      `Day replay under ${day.policy}: so many are on at its busiest; power is the mean over them.`,
    ),
  ];
}

/** The servers of a board before and after its plan, with the watts of each. */
export function boardDesigns(plan: PlanAnswer, state: BoardState, before: number | null): Found[] {
  const name = state.servers.length === 1 ? String(state.servers[0]?.name ?? '') : 'Servers';
  const fleet = (count: number, power_w: number, when: string, title: string) =>
    design({
      title,
      name: name || 'Servers',
      count,
      power_w: power_w / count,
      price_usd: 0,
      note: `The consolidation board ${when}. Nothing is bought: the servers are there.`,
    });
  const after = plan.servers_on_count;
  return [
    ...(before && plan.saving_w !== null
      ? [
          fleet(
            before,
            plan.power_w + plan.saving_w,
            'as the applications stand today',
            `${before} servers, nothing moved`,
          ),
        ]
      : []),
    ...(after > 0
      ? [fleet(after, plan.power_w, 'after its plan', `${after} servers, consolidated`)]
      : []),
  ];
}

/** A cluster of the scaling view, as large as it was compared. */
export function clusterDesign(cluster: ClusterAnswer): Found {
  const nodes = cluster.nodes_count;
  return design({
    title: cluster.name,
    name: cluster.name,
    count: Math.ceil(nodes),
    power_w: cluster.power_w / nodes,
    price_usd: cluster.price_usd / nodes,
    note: 'From Scaling: mean power of a node while its job runs, disks and ports included.',
  });
}
