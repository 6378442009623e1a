import { fileName, toCsv } from './csv';
import { USD } from './format';

describe('a table as CSV', () => {
  it('has full values, units in the head, and quotes where they are needed', () => {
    const text = toCsv(
      {
        columns: [
          { label: 'Design', unit: '' },
          { label: 'Cost', unit: 'USD' },
        ],
        rows: [
          ['A, "rented"', 1234567.891],
          ['B', null],
        ],
      },
      USD,
    );
    expect(text).toBe('Design,Cost (USD)\r\n"A, ""rented""",1234567.891\r\nB,\r\n');
  });

  it('has the amounts of a study in its currency, which their heads name', () => {
    const euros = { code: 'EUR', per_usd: 0.5 };
    const columns = ['USD', 'USD/kWh', 'kWh', ''].map((unit) => ({ label: 'What', unit }));
    const text = toCsv({ columns, rows: [[10, 4, 3, '€5']] }, euros);
    expect(text).toBe('What (EUR),What (EUR/kWh),What (kWh),What\r\n5,2,3,€5\r\n');
  });

  it('does not let a title run as a formula', () => {
    const columns = [{ label: 'Design', unit: '' }];
    expect(toCsv({ columns, rows: [['=HYPERLINK("x")']] }, USD)).toContain(`"'=HYPERLINK(""x"")"`);
  });

  it('has a name that every system takes', () => {
    expect(fileName('Why the difference: A → D?')).toBe('why-the-difference-a-d');
  });
});
