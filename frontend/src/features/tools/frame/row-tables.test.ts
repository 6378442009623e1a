import type { JsonSchema } from '../../../lib/schema';
import { askedWith, leftOut, rowTables } from './row-tables';

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
