// @vitest-environment jsdom
import { read } from '../../../lib/pointer';
import { BOARD_START, type PlanAnswer } from '../consolidation/board';
import { boardDesigns, clusterDesign, replayDesigns, type Found } from './fleet';
import { REPLAY_START, type Day, type Replay } from '../replay/replay';
import type { ClusterAnswer } from '../scaling/scaling';

const DAY_H = 24;
const day = (policy: string, energy_kwh: number, on: number): Day =>
  ({
    policy,
    energy_kwh,
    series: [{ at_h: 2, energy_kwh: 0, hosts_on_count: on, migrations_count: 0 }],
  }) as unknown as Day;

const still = day('DVFS', 96, 40);
const moved = day('THR-MMT-0.8', 48, 20);
const replay = {
  machines_count: 40,
  hosts_count: 40,
  duration_h: DAY_H,
  days: [still, moved],
} as Replay;

const group = (found: Found | undefined, key: string) =>
  read(found?.spec, `/node_groups/0/${key}`) as number;
const kwhOf = (found: Found | undefined) =>
  (group(found, 'count') * group(found, 'power/power_w') * DAY_H) / 1000;

describe('designs that tools found', () => {
  test('draw the energy that the replay found', () => {
    const [before, after] = replayDesigns(replay, moved, REPLAY_START, false);
    expect(kwhOf(before)).toBeCloseTo(96);
    expect(kwhOf(after)).toBeCloseTo(48);
    expect(group(after, 'role')).toBe('other');
  });

  test('are held to the hosts of the busiest hour where the study has a demand', () => {
    const [before, after] = replayDesigns(replay, moved, REPLAY_START, true);
    expect(before?.spec).toMatchObject({
      node_groups: [{ role: 'compute', count: 40, fill: { hosts_count: 20 }, ram_gib: 24 }],
    });
    expect(group(after, 'count')).toBe(20);
    const paper = { ...REPLAY_START, estate: 'paper' as const };
    expect(group(replayDesigns(replay, moved, paper, true)[1], 'role')).toBe('other');
  });

  test('keep the watts of a board and the price of a cluster', () => {
    const plan = { servers_on_count: 3, power_w: 600, saving_w: 300 } as PlanAnswer;
    const [before, after] = boardDesigns(plan, BOARD_START, 6);
    expect([group(before, 'count'), group(before, 'power/power_w')]).toEqual([6, 150]);
    expect([group(after, 'count'), group(after, 'power/power_w')]).toEqual([3, 200]);
    expect(boardDesigns(plan, BOARD_START, null)).toHaveLength(1);
    const cluster = { name: 'Box', nodes_count: 64, power_w: 2900, price_usd: 160_000 };
    const made = clusterDesign(cluster as ClusterAnswer);
    expect(group(made, 'count') * group(made, 'price/unit_price_usd')).toBe(160_000);
  });
});
