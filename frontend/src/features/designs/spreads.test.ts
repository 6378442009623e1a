import type { JsonObject } from '../../lib/pointer';
import type { JsonSchema } from '../../lib/schema';
import type { Provenance, RangeEntry } from '../../lib/types';
import { followed, followedBelow } from './spreads';

const root: JsonSchema = {
  properties: {
    pue: {
      type: 'number',
      default: 1.4,
      default_source: { source: 'Survey', low: 1.2, high: 1.6 },
    },
    months: { type: 'integer', default: 36, default_source: { source: 'x', low: 12, high: 60 } },
    staff_fte: { type: 'number', minimum: 0 },
    groups: {
      type: 'array',
      items: {
        properties: {
          name: { type: 'string' },
          usd: { type: 'number' },
          exponent: { type: 'number' },
        },
      },
    },
    electricity: {
      default: { kind: 'flat' },
      discriminator: { propertyName: 'kind' },
      oneOf: [
        {
          properties: {
            kind: { const: 'flat' },
            usd_per_kwh: {
              type: 'number',
              default: 0.13,
              default_source: { source: 'EIA', low: 0.08, high: 0.2 },
            },
          },
        },
        { properties: { kind: { const: 'hourly' }, scale_ratio: { type: 'number', default: 1 } } },
      ],
    },
  },
};
const pue: RangeEntry = { pointer: '/pue', low: 1.2, high: 1.6 };
const price: RangeEntry = { pointer: '/electricity/usd_per_kwh', low: 0.08, high: 0.2 };
const from = (low: number, high: number) => ({ quality: 'published', entry: 'x', low, high });

function change(
  before: JsonObject,
  after: JsonObject,
  { known = {}, origins = null }: { known?: Provenance; origins?: Provenance | null } = {},
) {
  return {
    schema: root,
    root,
    before: { value: before, provenance: known },
    after: { value: after, origins },
  };
}

describe('ranges follow the values that they are of', () => {
  it('takes the spread of what is filled from the catalogue', () => {
    const filled = change(
      { groups: [{ name: 'a' }] },
      { groups: [{ name: 'a', usd: 100, exponent: 1.4 }] },
      { origins: { '/groups/0/usd': from(80, 140), '/groups/0/exponent': from(1, 2) } },
    );
    expect(followed([], filled).ranges).toEqual([{ pointer: '/groups/0/usd', low: 80, high: 140 }]);
  });

  it('puts the spread of another entry in place of the range of the one before', () => {
    const known = { '/staff_fte': from(1, 3) };
    const other = change(
      { staff_fte: 2 },
      { staff_fte: 5 },
      {
        known,
        origins: { '/staff_fte': from(4, 8) },
      },
    );
    const range = (low: number, high: number) => ({ pointer: '/staff_fte', low, high });
    expect(followed([range(1, 3)], other).ranges).toEqual([range(4, 8)]);
    expect(followed([range(0.5, 9)], other).ranges).toEqual([range(4, 8)]);
  });

  it('takes the range away when the value is typed over, and back with the default', () => {
    expect(followed([pue], change({}, { pue: 1.3 })).ranges).toEqual([]);
    expect(followed([], change({ pue: 1.3 }, { pue: 1.4 })).ranges).toEqual([pue]);
    expect(followed([], change({ pue: 1.3 }, {})).ranges).toEqual([pue]);
  });

  it('keeps a range that the planner set, even while the field is empty', () => {
    const own = { pointer: '/staff_fte', low: 1, high: 3 };
    expect(followed([own], change({ staff_fte: 2 }, {})).ranges).toEqual([own]);
    expect(followed([own], change({ staff_fte: 2 }, { staff_fte: 2.5 })).ranges).toEqual([own]);
  });

  it('does not bring back a range that was taken away, nor give whole numbers one', () => {
    expect(followed([], change({ staff_fte: 2 }, { staff_fte: 3 })).ranges).toEqual([]);
    expect(followed([], change({ months: 12 }, {})).ranges).toEqual([]);
  });

  it('moves with the entries of a list, and goes with them', () => {
    const [a, b] = [
      { name: 'a', usd: 1 },
      { name: 'b', usd: 2 },
    ];
    const known = { '/groups/0/usd': from(0.5, 2), '/groups/1/usd': from(1, 4) };
    const ranges = [
      { pointer: '/groups/0/usd', low: 0.5, high: 2 },
      { pointer: '/groups/1/usd', low: 1, high: 4 },
    ];
    const after = followed(ranges, change({ groups: [a, b] }, { groups: [b] }, { known }));
    expect(after.ranges).toEqual([{ pointer: '/groups/0/usd', low: 1, high: 4 }]);
    expect(after.moved).toEqual({ '/groups/0/usd': known['/groups/1/usd'] });
  });

  it('goes when another kind has no such field', () => {
    const hourly = change({}, { electricity: { kind: 'hourly' } });
    expect(followed([pue, price], hourly).ranges).toEqual([pue]);
    const flat = change({ electricity: { kind: 'hourly' } }, { electricity: { kind: 'flat' } });
    expect(followed([pue], flat).ranges).toEqual([pue, price]);
  });

  it('leaves the ranges of other documents alone', () => {
    const all = [
      { ...pue, pointer: '/assumptions/pue' },
      { pointer: '/workload/x', low: 1, high: 2 },
    ];
    const typed = followedBelow(all, '/assumptions', change({}, { pue: 1.3 }));
    expect(typed.ranges).toEqual([all[1]]);
  });
});
