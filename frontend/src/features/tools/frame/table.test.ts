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

  test('say each cell that is no number, with its line', () => {
    const { rows, faults } = parseRows('application,cpu\nweb,many', COLUMNS);
    expect(rows).toEqual([{ id: 'web', cpu: null }]);
    expect(faults).toEqual(['Line 2, CPU: “many” is not a number.']);
  });
});
