import type { JsonObject } from '../../../lib/pointer';
import type { Science } from '../../../lib/science';
import type { BoardState, PlanAnswer } from '../consolidation/board';

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
}

function design({ title, name, count, power_w, price_usd, note }: Fleet): Found {
  const group = {
    name: name.slice(0, 80),
    count,
    duty_fraction: 1,
    price: { kind: 'typed', unit_price_usd: price_usd },
    power: { kind: 'constant', power_w: Number(power_w.toPrecision(6)) },
    note,
  };
  return {
    title: title.slice(0, 120),
    spec: { node_groups: [{ role: 'other', ...group }] },
  };
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
export function clusterDesign(cluster: Science['performance.cluster_job.ClusterAnswer']): Found {
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
