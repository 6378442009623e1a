import type { JsonObject } from '../../lib/pointer';
import type { DesignResult } from '../../lib/comparison';
import type { Design } from '../../lib/types';
import { racked, rackBinds, rackedDesign, rackedSpec } from './racks';

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

describe('a hybrid', () => {
  const owned = { letter: 'A', kind: 'owned_cluster', spec: SPEC } as unknown as Design;
  const cloud = { letter: 'B', kind: 'cloud', spec: {} } as unknown as Design;
  const joined = (letter: string) =>
    ({ letter: 'C', kind: 'hybrid', spec: { owned_letter: letter } }) as unknown as Design;

  test('racks the nodes of the owned design that it names', () => {
    expect(rackedDesign(joined('A'), [owned, cloud])).toBe(owned);
    expect(rackedDesign(owned, [])).toBe(owned);
    expect(rackedDesign(joined('B'), [owned, cloud])).toBeNull();
    expect(rackedDesign(cloud, [owned])).toBeNull();
  });

  test('has as many as the comparison gives it, not as many as that design', () => {
    const sizing = [{ year: 1, groups: [{ name: 'compute', count: 7 }] }];
    const spec = rackedSpec(joined('A'), owned);
    const cluster = racked(spec, { sizing } as unknown as DesignResult, 20);
    expect(cluster.groups.map(({ count }) => count)).toEqual([7, null]);
    expect(racked(spec, undefined, 20).nodes).toBe(0);
    expect(rackedSpec(owned, owned)).toBe(SPEC);
  });
});
