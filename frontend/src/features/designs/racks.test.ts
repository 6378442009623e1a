import type { JsonObject } from '../../lib/pointer';
import { racked, rackBinds } from './racks';

const SPEC: JsonObject = {
  racks: { nodes_per_rack_count: 10 },
  provision_ratio: 1.1,
  node_groups: [
    {
      name: 'compute',
      count: 12,
      power: { kind: 'linear', idle_w: 100, peak_w: 500 },
      adder_w: 100,
    },
    { name: 'storage', count: 3, power: { kind: 'constant', power_w: 200 }, provisioned_w: 300 },
  ],
  equipment: [{ name: 'switch', count: 2, power_w: 150 }],
};

test('nodes fill one rack after the other, switches are dealt to racks', () => {
  const cluster = racked(SPEC, undefined, 20);
  expect(cluster.racks.map(({ nodes }) => nodes.length)).toEqual([10, 5]);
  expect(cluster.racks.map(({ equipment }) => equipment.length)).toEqual([1, 1]);
  expect(cluster.power_w).toBeCloseTo(12 * 660 + 3 * 330 + 300);
});

test('space binds where power has room, and the other way round', () => {
  const cluster = racked(SPEC, undefined, 20);
  expect(rackBinds(cluster, { title: 'roomy', power_w: 10_000 })).toContain('Space binds first');
  expect(rackBinds(cluster, { title: 'tight', power_w: 5_000 })).toContain('Power binds');
});

test('power that is not known stays unknown', () => {
  const spec = { ...SPEC, node_groups: [{ name: 'compute', count: 4 }] };
  const cluster = racked(spec, undefined, 20);
  expect(cluster.power_w).toBeNull();
  expect(rackBinds(cluster, { title: 'rack', power_w: 1 })).toContain('not known');
});
