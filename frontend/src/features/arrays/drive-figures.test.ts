import type { JsonSchema } from '../../lib/schema';
import { completed, schemaFaults } from '../../lib/schema-faults';
import { driveGroups } from './drive-groups';

const ms: JsonSchema = { type: 'number', unit: 'ms', exclusiveMinimum: 0 };
const watts: JsonSchema = { type: 'number', unit: 'W', minimum: 0 };

const root: JsonSchema = {
  $defs: {
    TableSeek: {
      properties: {
        kind: { const: 'table' },
        distances_count: { type: 'array', minItems: 2, items: { type: 'integer', minimum: 1 } },
        seeks_ms: { type: 'array', minItems: 2, items: ms },
      },
      required: ['distances_count', 'seeks_ms'],
    },
    ThreePointSeek: {
      properties: { kind: { const: 'three_point' }, avg_ms: ms },
      required: ['avg_ms'],
    },
    SleepState: { properties: { power_w: watts, up_s: watts }, required: ['power_w', 'up_s'] },
    HardDisk: {
      properties: {
        kind: { const: 'hdd' },
        name: { type: 'string' },
        speed_rpm: { type: 'number' },
        seek: { oneOf: [{ $ref: '#/$defs/ThreePointSeek' }, { $ref: '#/$defs/TableSeek' }] },
        standby: { anyOf: [{ $ref: '#/$defs/SleepState' }, { type: 'null' }], default: null },
        afr_fraction: { type: 'number', minimum: 0, maximum: 1, default: 0.017 },
        recording: { type: 'string', default: 'conventional' },
      },
      required: ['seek'],
      groups: [
        { title: 'Speed', fields: ['speed_rpm', 'seek'] },
        { title: 'Wear', fields: ['afr_fraction'] },
      ],
    },
  },
};
const disk = root.$defs?.HardDisk ?? {};
const drive = {
  kind: 'hdd',
  seek: { kind: 'three_point', avg_ms: 8 },
  standby: null,
  afr_fraction: 0.01,
};

describe('the figures of a drive', () => {
  it('stand in the groups of the schema', () => {
    const groups = driveGroups(root, 'hdd');
    expect(
      groups.map(({ title, schema }) => [title, Object.keys(schema.properties ?? {})]),
    ).toEqual([
      ['Speed', ['speed_rpm', 'seek']],
      ['Wear', ['afr_fraction']],
    ]);
  });

  it('have faults in lists of groups', () => {
    const zone: JsonSchema = {
      properties: { cylinders_count: { type: 'integer', minimum: 1 } },
      required: ['cylinders_count'],
    };
    const list: JsonSchema = { type: 'array', minItems: 1, items: zone };
    expect(schemaFaults(list, root, [{ cylinders_count: 3 }])).toEqual([]);
    expect(schemaFaults(list, root, [{ cylinders_count: 0 }])).toMatchObject([
      { pointer: '/0/cylinders_count' },
    ]);
  });

  it('have faults by the bounds of the schema', () => {
    expect(schemaFaults(disk, root, drive)).toEqual([]);
    const seek = { kind: 'three_point', avg_ms: 0 };
    const standby = { power_w: 1 };
    const found = schemaFaults(disk, root, { ...drive, seek, standby, afr_fraction: 2 });
    expect(found.map(({ pointer, message }) => [pointer, message.replace(/\s/g, ' ')])).toEqual([
      ['/seek/avg_ms', 'Enter more than 0 ms.'],
      ['/standby/up_s', 'Enter a value.'],
      ['/afr_fraction', 'Enter at most 1.'],
    ]);
  });

  it('have faults in lists of numbers', () => {
    const seek = { kind: 'table', distances_count: [1], seeks_ms: [0.8, 0] };
    const found = schemaFaults(disk, root, { ...drive, seek });
    expect(found.map(({ pointer, message }) => [pointer, message.replace(/\s/g, ' ')])).toEqual([
      ['/seek/distances_count', 'Enter at least 2 numbers.'],
      ['/seek/seeks_ms', 'No. 2: Enter more than 0 ms.'],
    ]);
  });

  it('are at their defaults where they are left out', () => {
    const { afr_fraction: _gone, ...rest } = drive;
    expect(completed(disk, root, rest)).toMatchObject({ kind: 'hdd', afr_fraction: 0.017 });
  });
});
