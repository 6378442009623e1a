import { planSchema } from '../../../tests/data';
import { read, write, type Json, type JsonObject } from '../../lib/pointer';
import type { JsonSchema } from '../../lib/schema';
import type { CatalogueEntry, Origin } from '../../lib/types';
import { filling, regionFilling } from './fill';
import { catalogueKindsFor, nestedFilling, type Filling } from './places';

const group = planSchema.$defs?.Group as JsonSchema;
const value = (number: number, unit: string) => ({
  value: number,
  unit,
  quality: 'measured' as const,
  source: 'SPECpower',
  url: 'https://example.org',
  as_of: '2023-11-01',
  low: null,
  high: null,
  note: '',
});
/** What an origin names in its entry, as the server reads it when prices are taken anew. */
function named(entry: CatalogueEntry, pointer: string, { field, times }: Origin) {
  const [name = '', place] = (field ?? pointer.split('/').at(-1) ?? '').split('/');
  const held = entry.values[name]?.value;
  const found = place === undefined ? held : (held as number[])[Number(place)];
  return (found as number) * (times ?? 1);
}

/** The document that a filling makes. */
const document = ({ values }: Filling) =>
  values.reduce<Json>((made, [pointer, held]) => write(made, pointer, held), {});

const server: CatalogueEntry = {
  slug: 'dl385',
  kind: 'server',
  title: 'HP DL385',
  is_own: false,
  drive: null,
  revision: 1,
  updated_at: '2026-11-20T10:00:00Z',
  values: {
    cores_per_node_count: value(192, 'cores'),
    idle_w: value(120, 'W'),
    peak_w: value(720, 'W'),
    vendor: { ...value(0, ''), value: 'HP', unit: null },
  },
};

describe('taking from the catalogue', () => {
  it('knows which kind of entry fills a group', () => {
    expect(catalogueKindsFor(group)).toEqual(['server']);
    expect(catalogueKindsFor({ properties: { letter: {} } })).toEqual([]);
    expect(catalogueKindsFor({ properties: { idle_w: {}, use_fraction: {} } })).toEqual(['gpu']);
    const transfer = { properties: { egress_tiers: {}, nat_usd_per_gb: {} } };
    expect(catalogueKindsFor(transfer)).toEqual(['transfer', 'network_service']);
  });

  it('takes the date of a rate with the rate', () => {
    const text = { type: 'string' };
    const money = { properties: { code: text, per_usd: { type: 'number' }, as_of: text } };
    const euro = { ...server, values: { per_usd: value(0.86, 'ratio') } };
    const { values } = filling(money as JsonSchema, planSchema, '/currency', {}, euro);
    expect(values).toContainEqual(['/currency/as_of', '2023-11-01']);
  });

  it('fills fields of the same name, and the case of a union that it fills completely', () => {
    const { values, origins } = filling(group, planSchema, '/node_groups/0', {}, server);
    expect(Object.fromEntries(values)).toEqual({
      '/node_groups/0/name': 'HP DL385',
      '/node_groups/0/cores_per_node_count': 192,
      '/node_groups/0/power': { kind: 'linear' },
      '/node_groups/0/power/idle_w': 120,
      '/node_groups/0/power/peak_w': 720,
    });
    expect(Object.fromEntries(origins)['/node_groups/0/power/peak_w']).toMatchObject({
      quality: 'measured',
      source: 'SPECpower',
      as_of: '2023-11-01',
      entry: 'dl385',
    });
  });

  it('leaves a union alone that the entry does not fill', () => {
    const { peak_w: _none, ...values } = server.values;
    const filled = filling(group, planSchema, '', {}, { ...server, values });
    expect(Object.fromEntries(filled.values)).not.toHaveProperty('/power');
  });

  it('fills the data sheet of a memory module, and leaves no current of another', () => {
    const number = { type: 'number' };
    const sheet = {
      properties: {
        title: { type: 'string' },
        idd0_ma: number,
        idd6n_ma: number,
        burst_ns: number,
      },
    } as JsonSchema;
    expect(catalogueKindsFor(sheet)).toEqual(['memory_module']);
    const module = {
      ...server,
      kind: 'memory_module',
      title: '32 GB',
      values: { idd0_ma: value(52, 'mA'), speed_mt_per_s: value(3200, 'MT/s') },
    };
    const { values } = filling(sheet, planSchema, '/module', { idd6n_ma: 30 }, module);
    expect(values).toEqual([
      ['/module/title', '32 GB'],
      ['/module/idd0_ma', 52],
      ['/module/idd6n_ma', null],
      ['/module/burst_ns', 2.5],
    ]);
  });

  it('takes the prices of a region, and leaves what is not held there', () => {
    const price = { ...value(1.757, 'USD/h'), as_of: '2026-06-18' };
    const held = (slug: string, entry: string, found: typeof price | null) => ({
      slug,
      entry,
      home_region: 'eastus',
      field: `${slug}_usd_per_h`,
      price: found,
      plans: [],
    });
    const document: JsonObject = {
      instances: [{ entry: 'd32' }, { entry: 'gpu' }, { name: 'typed' }],
    };
    const { values, origins } = regionFilling(document, {
      provider: 'azure',
      region: 'germanywestcentral',
      title: 'Azure Germany West Central (Frankfurt)',
      prices: [held('d32', 'azure-germanywestcentral', price), held('gpu', '', null)],
    });
    expect(values).toEqual([
      ['/instances/0/usd_per_h', 1.757],
      ['/instances/0/price_as_of', '2026-06-18'],
    ]);
    expect(origins).toMatchObject([
      ['/instances/0/usd_per_h', { entry: 'azure-germanywestcentral', field: 'd32_usd_per_h' }],
    ]);
  });

  it('takes bands, parts of a month, and a discount by their places', () => {
    const several = (held: number[], unit: string) => ({ ...value(0, unit), value: held });
    const tiers = { type: 'array', items: { type: 'object' } };
    const schema = {
      properties: { egress_tiers: tiers, nat_usd_per_month: { type: 'number' } },
    } as JsonSchema;
    const direction = { ...value(0, ''), value: 'out', unit: null };
    const out = {
      ...server,
      slug: 'out',
      kind: 'transfer',
      values: {
        direction,
        tier_from_tb: several([0, 10], 'TB'),
        tier_usd_per_gb: several([0.09, 0.05], 'USD/GB'),
        usd_per_gb: value(0.09, 'USD/GB'),
      },
    };
    const { values, origins } = filling(schema, planSchema, '', {}, out);
    expect(values).toEqual([
      ['/egress_tiers', [{ up_to_tb: 10, usd_per_gb: 0.09 }, { usd_per_gb: 0.05 }]],
    ]);
    expect(origins[1]).toMatchObject([
      '/egress_tiers/1/usd_per_gb',
      { entry: 'out', field: 'tier_usd_per_gb/1' },
    ]);
    const nat = { ...direction, value: 'nat' };
    const gateway = {
      ...server,
      kind: 'network_service',
      values: { service: nat, usd_per_h: value(0.045, 'USD/h') },
    };
    const month = filling(schema, planSchema, '', {}, gateway);
    expect(month.values).toEqual([['/nat_usd_per_month', 0.045 * 730]]);
    expect(month.origins[0]?.[1]).toMatchObject({ field: 'usd_per_h', times: 730 });
  });

  it('says where each number comes from, so that a newer one finds its place', () => {
    const numbers = (held: object) =>
      Object.fromEntries(
        Object.entries(held).map(([name, said]) => [
          name,
          { ...value(0, ''), value: said as Json },
        ]),
      ) as CatalogueEntry['values'];
    const of = (kind: string, held: object) => ({ ...server, kind, values: numbers(held) });
    const number = { type: 'number' };
    const names = ['usd_per_gb_month', 'usd_per_gb_read', 'usd_per_million_writes'];
    const transfer = { egress_tiers: { type: 'array' }, nat_usd_per_month: number };
    const kept = Object.fromEntries(names.map((name) => [name, number]));
    const bands = { tier_from_tb: [0, 10], tier_usd_per_gb: [0.09, 0.05] };
    const entries: [object, CatalogueEntry][] = [
      [kept, of('storage', { usd_per_gb_month: 2, read_usd_per_gb: 3, put_usd_per_1000: 5 })],
      [transfer, of('transfer', { direction: 'out', ...bands })],
      [transfer, of('transfer', { direction: 'out', usd_per_gb: 0.08 })],
      [transfer, of('network_service', { service: 'nat', usd_per_h: 0.045 })],
    ];
    for (const [properties, entry] of entries) {
      const filled = filling({ properties } as JsonSchema, planSchema, '', {}, entry);
      expect(filled.origins.length).toBeGreaterThan(0);
      for (const [pointer, origin] of filled.origins) {
        expect(read(document(filled), pointer)).toBe(named(entry, pointer, origin));
      }
    }
  });

  it('takes what keeping and reading an archive cost, and requests by the million', () => {
    const archive = {
      ...server,
      kind: 'storage',
      values: {
        usd_per_gb_month: value(0.002, 'USD/GB-month'),
        read_usd_per_gb: value(0.02, 'USD/GB'),
        put_usd_per_1000: value(0.05, 'USD'),
      },
    };
    const group = (...names: string[]): JsonSchema => ({
      properties: Object.fromEntries(names.map((name) => [name, { type: 'number' }])),
    });
    const kept = group('usd_per_gb_month', 'usd_per_gb_read', 'usd_per_million_writes');
    expect(catalogueKindsFor(kept)).toEqual(['storage']);
    expect(catalogueKindsFor(group('usd_per_gb_month', 'up_to_tb'))).toEqual([]);
    const { values, origins } = filling(kept, planSchema, '', {}, archive);
    expect(Object.fromEntries(values)).toEqual({
      '/usd_per_gb_month': 0.002,
      '/usd_per_gb_read': 0.02,
      '/usd_per_million_writes': 50,
    });
    expect(Object.fromEntries(origins)['/usd_per_million_writes']).toMatchObject({
      field: 'put_usd_per_1000',
      times: 1000,
    });
  });

  it('takes the drives and the parts that a server names, each from its own entry', () => {
    const number = { type: 'number' };
    const part = { type: 'object', properties: { name: { type: 'string' }, count: number } };
    const parts = {
      properties: { kind: { const: 'parts' }, parts: { type: 'array', items: part } },
    };
    const drives = { properties: { per_node_count: number, capacity_tb: number } };
    const schema = {
      properties: { drives, price: { oneOf: [parts], discriminator: { propertyName: 'kind' } } },
    } as JsonSchema;
    const named = (text: string) => ({ ...value(0, ''), value: text, unit: null });
    const whole = {
      ...server,
      values: {
        drive: named('big'),
        per_node_count: value(60, 'count'),
        parts: named('case rail'),
        parts_count: { ...value(0, 'count'), value: [1, 2] },
      },
    };
    const others = new Map(
      ['big', 'case', 'rail'].map((slug) => [
        slug,
        { ...server, slug, title: slug, kind: 'part', values: { capacity_tb: value(24, 'TB') } },
      ]),
    );
    const filled = nestedFilling(schema, planSchema, '', whole, others, (shape, at, one) =>
      filling(shape, planSchema, at, {}, one),
    );
    expect(Object.fromEntries(filled.values)).toEqual({
      '/drives': {},
      '/drives/capacity_tb': 24,
      '/drives/per_node_count': 60,
      '/price': { kind: 'parts', parts: [] },
      '/price/parts/0': {},
      '/price/parts/0/name': 'case',
      '/price/parts/0/count': 1,
      '/price/parts/1': {},
      '/price/parts/1/name': 'rail',
      '/price/parts/1/count': 2,
    });
  });
});
