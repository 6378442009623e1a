import { hiddenPlaces } from './hidden';
import type { JsonSchema } from './schema';

const root: JsonSchema = {
  properties: {
    drive: { $ref: '#/$defs/Drive' },
    layout: { $ref: '#/$defs/Layout' },
    copies: { type: 'number', shown_when: { 'drive/kind': ['hdd'] } },
  },
  $defs: {
    Drive: { properties: { kind: { enum: ['hdd', 'ssd'], default: 'hdd' }, standby: {} } },
    Layout: {
      properties: {
        kind: { enum: ['single', 'raid5'] },
        disks: { type: 'integer', shown_when: { kind: ['raid5'] } },
        sleep: { type: 'boolean', shown_when: { kind: ['raid5'], '../drive/standby': true } },
      },
    },
  },
};
const hidden = (kind: string, drive: { kind?: string; standby?: number | null }) =>
  hiddenPlaces(root, root, { drive, layout: { kind } });

describe('fields without effect', () => {
  it('are found by the fields beside and above them', () => {
    expect(hidden('raid5', { kind: 'hdd', standby: 1 })).toEqual([]);
    expect(hidden('raid5', { kind: 'ssd', standby: null })).toEqual(['/layout/sleep', '/copies']);
    expect(hidden('single', { kind: 'hdd', standby: 1 })).toEqual([
      '/layout/disks',
      '/layout/sleep',
    ]);
  });

  it('depend on what any entry of a list leaves empty', () => {
    const schema = {
      properties: {
        use: { type: 'number', shown_when: { 'machines/*/use': false } },
        machines: { type: 'array', items: { properties: { use: { type: 'number' } } } },
      },
    };
    const hides = (...uses: (number | null)[]) =>
      hiddenPlaces(schema, schema, { use: 0.3, machines: uses.map((use) => ({ use })) });
    expect(hides(0.2, 0.4)).toEqual(['/use']);
    expect(hides(0.2, null)).toEqual([]);
  });

  it('depend on a list that is empty', () => {
    const schema = {
      properties: {
        size: { type: 'number', shown_when: { sizes: false } },
        shares: { type: 'number', shown_when: { sizes: true } },
        sizes: { type: 'array', default: [] },
      },
    };
    expect(hiddenPlaces(schema, schema, { sizes: [1] })).toEqual(['/size']);
    expect(hiddenPlaces(schema, schema, {})).toEqual(['/shares']);
  });

  it('depend on the default of what is not entered', () => {
    expect(hidden('raid5', { standby: 1 })).toEqual([]);
  });
});
