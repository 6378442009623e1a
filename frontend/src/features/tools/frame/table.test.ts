import { parseRows, type Column } from './table';

const COLUMNS: readonly Column[] = [
  { key: 'id', label: 'Application', kind: 'text' },
  { key: 'cpu', label: 'CPU', unit: '%', kind: 'number' },
];

describe('pasted rows', () => {
  test('are read by the names of a head line, in any order', () => {
    const { rows, faults } = parseRows('cpu;application\n22;"web; one"\n', COLUMNS);
    expect(rows).toEqual([{ id: 'web; one', cpu: 22 }]);
    expect(faults).toEqual([]);
  });

  test('are read by place without one, from a spreadsheet’s tabs', () => {
    expect(parseRows('web\t1,200\r\ndb\t3', COLUMNS).rows).toEqual([
      { id: 'web', cpu: 1200 },
      { id: 'db', cpu: 3 },
    ]);
  });

  test('are written in one way by column, as all of its cells say', () => {
    const wide: readonly Column[] = [...COLUMNS, { key: 'w', label: 'Power', kind: 'number' }];
    expect(parseRows('web;1.200;0,5\ndb;1.250;1,25', wide).rows).toEqual([
      { id: 'web', cpu: 1200, w: 0.5 },
      { id: 'db', cpu: 1250, w: 1.25 },
    ]);
    expect(parseRows('web;1.200;0.5\ndb;1.250;1.25', wide).rows).toEqual([
      { id: 'web', cpu: 1.2, w: 0.5 },
      { id: 'db', cpu: 1.25, w: 1.25 },
    ]);
  });

  test('say each cell that is no number, with its line', () => {
    const { rows, faults } = parseRows('application,cpu\nweb,many', COLUMNS);
    expect(rows).toEqual([{ id: 'web', cpu: null }]);
    expect(faults).toEqual(['Line 2, CPU: “many”. Enter an amount in %, such as 22%.']);
  });
});
