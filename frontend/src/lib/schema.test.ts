import { planSchema } from '../../tests/data';
import {
  described,
  initialObject,
  numericLeaves,
  resolve,
  schemaAt,
  variants,
  words,
  writeSeeded,
  type JsonSchema,
} from './schema';

const owned = planSchema.$defs?.OwnedCluster as JsonSchema;
const spec = {
  kind: 'owned_cluster',
  staff_fte: 2,
  power: { kind: 'linear', idle_w: 100, peak_w: 300 },
  node_groups: [{ name: 'compute', power: { kind: 'constant', power_w: 50 } }],
};

describe('a schema', () => {
  it('says that a value may be null, and what it is else', () => {
    const { schema, nullable } = resolve(owned.properties?.refresh_months ?? {}, planSchema);
    expect(nullable).toBe(true);
    expect(schema).toMatchObject({ type: 'integer', minimum: 1, title: 'Refresh', unit: 'months' });
  });

  it('lists the cases of a union by their tags', () => {
    const union = resolve(owned.properties?.power ?? {}, planSchema).schema;
    expect(variants(union, planSchema).map((variant) => variant.tag)).toEqual([
      'constant',
      'linear',
    ]);
  });

  it('is found at a place, through lists and the case that the document holds', () => {
    const at = (pointer: string) => schemaAt(owned, planSchema, spec, pointer)?.title;
    expect(at('/power/peak_w')).toBe('Peak power');
    expect(at('/node_groups/0/power/power_w')).toBe('Power');
    expect(at('/power/power_w')).toBeUndefined();
  });

  it('gives a new document what it cannot do without', () => {
    expect(initialObject(owned, planSchema)).toMatchObject({
      kind: 'owned_cluster',
      power: { kind: 'constant' },
    });
  });

  it('names every number of a document on the way to it', () => {
    const leaves = numericLeaves(owned, planSchema, spec);
    const named = Object.fromEntries(leaves.map((leaf) => [leaf.pointer, leaf.labels.join(' · ')]));
    expect(named).toMatchObject({
      '/staff_fte': 'Operations',
      '/spares_fraction_per_year': 'Spares',
      '/power/idle_w': 'Power · Idle power',
      '/node_groups/0/power/power_w': 'Node groups · compute · Power · Power',
    });
    expect(named).not.toHaveProperty('/refresh_months');
  });

  it('keeps the case of a union that is still at its default', () => {
    const root: JsonSchema = {
      properties: {
        electricity: {
          oneOf: [{ properties: { kind: { const: 'flat' }, price: { type: 'number' } } }],
          discriminator: { propertyName: 'kind' },
          default: { kind: 'flat', price: 0.13 },
        },
      },
    };
    expect(writeSeeded(root, root, {}, '/electricity/price', 0.2)).toEqual({
      electricity: { kind: 'flat', price: 0.2 },
    });
  });

  it('explains choices by their names', () => {
    const schema = {
      enum: ['ifrs_16', 'asc_842', 'flat'],
      choices: { ifrs_16: 'IFRS 16', asc_842: 'ASC 842' },
      description: 'ifrs_16: an asset. asc_842: a cost. flat: neither.',
    };
    expect(described(schema)).toBe('IFRS 16: an asset. ASC 842: a cost. Flat: neither.');
    expect(described({ enum: ['flat'] })).toBeUndefined();
  });

  it('spells what is known by its letters', () => {
    expect(['raid10', 'raid7', 'draid2', 'sptf'].map(words)).toEqual([
      'RAID-10',
      'Triple parity (RAID-TP)',
      'Declustered, two parities',
      'SPTF',
    ]);
    expect(words('ddr4_3200_lrdimm_64')).toBe('DDR4 3200 LRDIMM 64');
    expect([words('aws'), words('time_of_use'), words('vcpu'), words('cpu_price')]).toEqual([
      'AWS',
      'Time of use',
      'vCPU',
      'CPU price',
    ]);
  });
});
