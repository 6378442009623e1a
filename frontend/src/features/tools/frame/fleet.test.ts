// @vitest-environment jsdom
import { read } from '../../../lib/pointer';
import { clusterDesign, plannedDesigns, type Found } from './fleet';
import type { Science } from '../../../lib/science';

const group = (found: Found | undefined, key: string) =>
  read(found?.spec, `/node_groups/0/${key}`) as number;

describe('designs that tools found', () => {
  test('keep the watts of servers and the price of a cluster', () => {
    const answer = {
      plan: { servers_on_count: 3, effective_power_w: 600 },
      after: [{ server_count: 1, kind: 'box', blocks: [] }],
      servers_today_count: 6,
      today_w: 900,
    } as unknown as Science['consolidation.servers.Result'];
    const [before, after] = plannedDesigns(answer);
    expect([group(before, 'count'), group(before, 'power/power_w')]).toEqual([6, 150]);
    expect([group(after, 'count'), group(after, 'power/power_w')]).toEqual([3, 200]);
    expect(group(after, 'name')).toBe('box');
    const without = { ...answer, servers_today_count: null, today_w: null };
    expect(plannedDesigns(without)).toHaveLength(1);
    const cluster = { name: 'Box', nodes_count: 64, power_w: 2900, price_usd: 160_000 };
    const made = clusterDesign(cluster as Science['performance.cluster_job.ClusterAnswer']);
    expect(group(made, 'count') * group(made, 'price/unit_price_usd')).toBe(160_000);
  });
});
