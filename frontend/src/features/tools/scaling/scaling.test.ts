import type { Json } from '../../../lib/pointer';
import type { CatalogueEntry, Study } from '../../../lib/types';
import { ofDesigns, ofServer, taking, takenText, withTaken } from './take-cluster';

const entry = (values: Record<string, number>) =>
  ({
    title: 'A server',
    values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }])),
  }) as unknown as CatalogueEntry;

const CLUSTERS: Json[] = [
  { name: 'box', nodes_count: 10, power: { fixed_w: 500, node_idle_w: 4 } },
  { name: 'A server', nodes_count: 3, price: { node_usd: 7 } },
];

test('a server of the catalogue stands in for the nodes of a cluster', () => {
  const found = ofServer(
    entry({
      cores_per_node_count: 16,
      idle_w: 60,
      peak_w: 200,
      disks_count: 2,
      nic_gbit_per_s: 10,
    }),
  );
  const [box, other] = withTaken({ clusters: CLUSTERS }, found, 0).clusters as [object, object];
  expect(box).toMatchObject({
    name: 'A server (1)',
    nodes_count: 10,
    cores_per_node_count: 16,
    slots_per_node_count: 16,
    disks_count: 20,
    ports_count: 10,
    port_mb_per_s: 1250,
    power: { fixed_w: 0, node_idle_w: 60, node_dynamic_w: 140 },
    price: { fixed_usd: 0, node_usd: 0 },
  });
  expect(other).toEqual(CLUSTERS[1]);
  expect(takenText(found)).toContain('Its price is not known');
});

test('a design of the study stands in with its nodes, parts and drives', () => {
  const group = {
    name: 'compute',
    count: 12,
    cores_per_node_count: 32,
    adder_w: 10,
    drives: { per_node_count: 4, unit_price_usd: 100 },
    power: { kind: 'points', points: [{ power_w: 90 }, { power_w: 300 }] },
    price: {
      kind: 'parts',
      discount_fraction: 0.5,
      parts: [{ count: 2, unit_price_usd: 1000, discount_fraction: 0.1 }],
    },
  };
  const study = { designs: [{ letter: 'D', title: 'Own', spec: { node_groups: [group] } }] };
  const [found] = ofDesigns(study as unknown as Study);
  expect(found?.missing).toEqual([]);
  expect(found && taking(found, CLUSTERS, 1)).toMatchObject({
    '/clusters/1/name': 'D, Own',
    '/clusters/1/nodes_count': 12,
    '/clusters/1/disks_count': 48,
    '/clusters/1/power/node_idle_w': 100,
    '/clusters/1/power/node_dynamic_w': 210,
    // Half of two parts at $900, and four drives.
    '/clusters/1/price/node_usd': 1300,
  });
  expect(
    ofDesigns({ designs: [{ letter: 'A', title: 'Rent', spec: {} }] } as unknown as Study),
  ).toEqual([]);
});
