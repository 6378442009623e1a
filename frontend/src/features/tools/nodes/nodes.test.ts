import type { CatalogueEntry } from '../../../lib/types';
import { nodeOf } from './nodes';

const entry = (values: Record<string, number>): CatalogueEntry =>
  ({
    slug: 'server',
    title: 'A server',
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
  }) as unknown as CatalogueEntry;

const KNOWN = { cores_per_node_count: 64, ram_gib: 512, peak_w: 700 };

describe('a server of the catalogue as a node type', () => {
  test('leaves empty what its entry does not say', () => {
    const row = nodeOf(entry(KNOWN), 'memory');
    expect(row).toMatchObject({ price_usd: null, rate_per_s: null, power_w: 700 });
    expect(row.capacity_gb).toBeCloseTo(549.8);
  });

  test('takes what the planner assumes only where it is silent', () => {
    const assumed = { core_rate_per_s: 50_000, core_price_usd: 100, store_tb: 8 };
    const row = nodeOf(entry({ ...KNOWN, unit_price_usd: 9000 }), 'ssd', assumed);
    expect(row).toMatchObject({ price_usd: 9000, rate_per_s: 3_200_000, capacity_gb: 8000 });
    expect(nodeOf(entry(KNOWN), 'ssd', assumed).price_usd).toBe(6400);
    expect(nodeOf(entry({ ...KNOWN, disks_count: 4, disk_tb: 2 }), 'disk', assumed)).toMatchObject({
      capacity_gb: 8000,
    });
  });
});
