// @vitest-environment jsdom
import { read } from '../../../lib/pointer';
import { BOARD_START, type PlanAnswer } from '../consolidation/board';
import { boardDesigns, clusterDesign, type Found } from './fleet';
import type { Science } from '../../../lib/science';

const group = (found: Found | undefined, key: string) =>
  read(found?.spec, `/node_groups/0/${key}`) as number;

describe('designs that tools found', () => {
  test('keep the watts of a board and the price of a cluster', () => {
    const plan = { servers_on_count: 3, power_w: 600, saving_w: 300 } as PlanAnswer;
    const [before, after] = boardDesigns(plan, BOARD_START, 6);
    expect([group(before, 'count'), group(before, 'power/power_w')]).toEqual([6, 150]);
    expect([group(after, 'count'), group(after, 'power/power_w')]).toEqual([3, 200]);
    expect(boardDesigns(plan, BOARD_START, null)).toHaveLength(1);
    const cluster = { name: 'Box', nodes_count: 64, power_w: 2900, price_usd: 160_000 };
    const made = clusterDesign(cluster as Science['performance.cluster_job.ClusterAnswer']);
    expect(group(made, 'count') * group(made, 'price/unit_price_usd')).toBe(160_000);
  });
});
