// @vitest-environment jsdom
import { designOf, serviceOf, isDemand, withPlace, workText } from './node-design';
import type { Study } from '../../../lib/types';

const study = (workload: object) => ({ id: 's', revision: 3, workload }) as unknown as Study;
const PLACE = { dataset_tb: 10, query_rate_per_s: 1e6, copies_count: 1 };
const RANK = {
  name: 'FAWN+SSD',
  nodes_count: 312.5,
  whole_nodes_count: 313,
  cost_usd: 1,
  cost_usd_per_year: 1,
  power_w: 1,
  reason: 'capacity' as const,
};
const ROW = { name: 'FAWN+SSD', price_usd: 500, power_w: 15, rate_per_s: 35_000, capacity_gb: 32 };
const group = (spec: object) => (spec as { node_groups: Record<string, unknown>[] }).node_groups[0];

describe('a design of the map of node types', () => {
  test('is sized by the service: a node is one server of its rate and holds its data', () => {
    const service = serviceOf(
      study({ kind: 'demand', service: { query_rate_per_s: 5, service_ms: 0.2 } }),
    );
    const made = group(designOf(RANK, ROW, service));
    expect(made).toMatchObject({ role: 'service', cores_per_node_count: 1, data_in: 'drives' });
    expect(made).not.toHaveProperty('count');
    // A core of the reference kind takes 0.2 ms: 5,000 a second. This one serves seven times that.
    expect(made?.perf_per_core_ratio).toBe(7);
    expect(made?.drives).toMatchObject({ capacity_tb: 0.032, kind: 'ssd' });
  });

  test('keeps its data in memory where that is what it is', () => {
    const service = serviceOf(study({ kind: 'demand', service: {} }));
    const held = { ...ROW, capacity_gb: 1.073741824 * 64, store: 'memory' };
    const made = group(designOf({ ...RANK, name: 'FAWN+DRAM' }, held, service));
    expect(made).toMatchObject({ data_in: 'memory', ram_gib: 64 });
    expect(group(designOf(RANK, held, service))).not.toHaveProperty('drives');
  });

  test('has the nodes that were counted where the study can have no service', () => {
    expect(isDemand(study({ kind: 'utilization' }))).toBe(false);
    expect(serviceOf(study({ kind: 'utilization', service: {} }))).toBeNull();
    expect(group(designOf(RANK, ROW, null))).toMatchObject({ role: 'other', count: 313 });
  });
});

test('a place becomes the service of the study, and what else it says stays', () => {
  const before = study({
    kind: 'demand',
    ram_gib: 4,
    service: { query_rate_per_s: 5, latency_bound_ms: 2, service_ms: 0.2 },
  });
  expect(withPlace(before, PLACE)).toEqual({
    kind: 'demand',
    ram_gib: 4,
    service: {
      query_rate_per_s: 1e6,
      dataset_tb: 10,
      copies_count: 1,
      latency_bound_ms: 2,
      service_ms: 0.2,
    },
  });
  expect(withPlace(study({ kind: 'demand' }), PLACE)).toMatchObject({
    service: { service_ms: 1 },
  });
  expect(workText(PLACE)).toBe('10.0\u00a0TB at 1\u00a0M queries/s, one copy');
});
