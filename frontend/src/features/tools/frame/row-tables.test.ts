import type { JsonSchema } from '../../../lib/schema';
import type { JsonObject } from '../../../lib/pointer';
import { askedWith, leftOut, rowTables } from './row-tables';
import { parseRows } from './table';

const SCHEMA: JsonSchema = {
  properties: {
    nodes: {
      type: 'array',
      title: 'Node types',
      presented: 'table',
      items: { $ref: '#/$defs/Node' },
    },
    plain: { type: 'array', items: { $ref: '#/$defs/Node' } },
  },
  $defs: {
    Node: {
      properties: {
        name: { type: 'string', title: 'Node' },
        power_w: { type: 'number', title: 'Power', unit: 'W' },
        turns_rpm: { anyOf: [{ type: 'number' }, { type: 'null' }], title: 'Turns' },
      },
      required: ['name', 'power_w'],
    },
  },
};

const [table] = rowTables(SCHEMA);

test('a list that is a table has the columns of its schema', () => {
  expect(rowTables(SCHEMA)).toHaveLength(1);
  expect(table?.columns.map(({ label, kind, optional }) => [label, kind, optional])).toEqual([
    ['Node', 'text', false],
    ['Power', 'number', false],
    ['Turns', 'number', true],
  ]);
});

test('rows that lack a value are left out of what is asked, and said', () => {
  const rows = [
    { name: 'a', power_w: 1, turns_rpm: null },
    { name: 'b', power_w: null, turns_rpm: 7 },
  ];
  expect(askedWith({ nodes: rows, pue: 1 }, table ? [table] : [])).toEqual({
    nodes: [{ name: 'a', power_w: 1 }],
    pue: 1,
  });
  expect(leftOut(rows, table?.columns ?? [])).toEqual(['b is left out: its power is not known.']);
});

test('shares are typed in percent, lists as names with semicolons, choices from a list', () => {
  const [loads] = rowTables({
    properties: {
      loads: {
        type: 'array',
        presented: 'table',
        items: {
          properties: {
            id: { type: 'string', title: 'Application' },
            cpu_fraction: { type: 'number', title: 'CPU', unit: 'fraction' },
            apart_from: { type: 'array', items: { type: 'string' } },
            store: { type: 'string', enum: ['ssd', 'disk'] },
          },
          required: ['id', 'cpu_fraction'],
        },
      },
    },
  });
  const columns = loads?.columns ?? [];
  expect(columns.map(({ kind, choices }) => [kind, choices])).toEqual([
    ['text', undefined],
    ['number', undefined],
    ['list', undefined],
    ['text', ['ssd', 'disk']],
  ]);
  const { rows, faults } = parseRows('application,cpu,apart from\na,22%,b; c\nb,5,', columns);
  expect(faults).toEqual([]);
  expect(askedWith({ loads: rows as JsonObject[] }, loads ? [loads] : [])).toEqual({
    loads: [
      { id: 'a', cpu_fraction: 0.22, apart_from: ['b', 'c'] },
      { id: 'b', cpu_fraction: 0.05 },
    ],
  });
  expect(leftOut([{ id: 'x', cpu_fraction: null }], columns)).toEqual([
    'x is left out: its CPU is not known.',
  ]);
});
