import { counted } from '../../../lib/format';
import type { JsonObject } from '../../../lib/pointer';
import type { Science } from '../../../lib/science';

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

/** The servers before and after a plan, with the watts of each. */
export function plannedDesigns(answer: Science['consolidation.servers.Result']): Found[] {
  const { plan, after, servers_today_count: before, today_w: today } = answer;
  const [only, ...others] = new Set(after.map(({ kind }) => kind));
  const name = only && others.length === 0 ? only : 'Servers';
  const fleet = (count: number, power_w: number, when: string, title: string) =>
    design({
      title,
      name,
      count,
      power_w: power_w / count,
      price_usd: 0,
      note: `From Consolidation, ${when}. Nothing is bought: the servers are there.`,
    });
  const on = plan.servers_on_count;
  return [
    ...(before !== null && before > 0 && today !== null
      ? [
          fleet(
            before,
            today,
            'as the applications stand today',
            `${counted(before, 'server')}, nothing moved`,
          ),
        ]
      : []),
    ...(on > 0
      ? [
          fleet(
            on,
            plan.effective_power_w,
            'after its plan',
            `${counted(on, 'server')}, consolidated`,
          ),
        ]
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
