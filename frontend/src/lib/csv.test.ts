import { fileName, toCsv } from './csv';

describe('a table as CSV', () => {
  it('has full values, units in the head, and quotes where they are needed', () => {
    const text = toCsv({
      columns: [
        { label: 'Design', unit: '' },
        { label: 'Cost', unit: 'USD' },
      ],
      rows: [
        ['A, "rented"', 1234567.891],
        ['B', null],
      ],
    });
    expect(text).toBe('Design,Cost (USD)\r\n"A, ""rented""",1234567.891\r\nB,\r\n');
  });

  it('does not let a title run as a formula', () => {
    const columns = [{ label: 'Design', unit: '' }];
    expect(toCsv({ columns, rows: [['=HYPERLINK("x")']] })).toContain(`"'=HYPERLINK(""x"")"`);
  });

  it('has a name that every system takes', () => {
    expect(fileName('Why the difference: A → D?')).toBe('why-the-difference-a-d');
  });
});
