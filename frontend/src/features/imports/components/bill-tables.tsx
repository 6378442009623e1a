import { MISSING, date, percent } from '../../../lib/format';
import { amount, type Bill, type Preview, type Sums } from '../bill';
import { RowsTable, type Column } from './table';

type Amount = 'billed' | 'effective' | 'list';

function money<R extends Sums>(head: string, name: Amount, currency: string): Column<R> {
  return { head, number: true, cell: (row) => amount(row[name], currency) };
}

/** The two that every table ends with. */
function costs<R extends Sums>(currency: string): Column<R>[] {
  return [money('List price', 'list', currency), money('Cost', 'effective', currency)];
}

const places: Record<string, string> = {
  instances: 'lines of the baseline',
  storage: 'work and other cost',
  transfer: 'work and other cost',
  other: 'other cost',
  apart: 'shown apart',
  unplaced: 'other cost, not recognised',
};

/** Lines that could not be read, with the reason of each. */
export function FaultsTable({ preview }: { preview: Preview }) {
  return (
    <RowsTable
      title={`Cells and rows that could not be read: ${preview.faults_count.toLocaleString('en-GB')}`}
      rows={preview.faults}
      columns={[
        { head: 'Row', number: true, cell: (row) => row.line.toLocaleString('en-GB') },
        { head: 'What is wrong', cell: (row) => row.message },
      ]}
    />
  );
}

/** Everything that a bill says, table by table. */
export function BillTables({ bill }: { bill: Bill }) {
  const { currency } = bill;
  return (
    <>
      <RowsTable
        title="What it is for"
        rows={bill.kinds}
        columns={[
          { head: 'Kind', cell: (row) => row.label },
          { head: 'Goes into', cell: (row) => places[row.place] ?? row.place },
          ...costs<Bill['kinds'][number]>(currency),
          money('Invoiced', 'billed', currency),
        ]}
      />
      <RowsTable
        title="Months"
        rows={bill.months}
        columns={[
          { head: 'Month', cell: (row) => row.month },
          ...costs<Bill['months'][number]>(currency),
          money('Invoiced', 'billed', currency),
        ]}
      />
      <RowsTable
        title="Machines"
        rows={bill.machines}
        columns={[
          { head: 'Type', cell: (row) => row.type },
          { head: 'Region', cell: (row) => row.region || MISSING },
          { head: 'Price', cell: (row) => (row.is_committed ? 'committed' : 'on demand') },
          { head: 'Hours', number: true, cell: (row) => Number(row.hours).toLocaleString('en-GB') },
          ...costs<Bill['machines'][number]>(currency),
        ]}
      />
      <RowsTable
        title="Commitments"
        rows={bill.commitments}
        columns={[
          { head: 'Commitment', cell: (row) => `${row.type} ${row.id}` },
          { head: 'Ends on', cell: (row) => (row.ends_on ? date(row.ends_on) : MISSING) },
          { head: 'Used', number: true, cell: (row) => amount(row.used, currency) },
          { head: 'Not used', number: true, cell: (row) => amount(row.unused, currency) },
          { head: 'Coverage', number: true, cell: (row) => percent(row.used_fraction) },
          { head: 'Saved', number: true, cell: (row) => percent(row.saved_fraction) },
        ]}
      />
      <RowsTable
        title="Services"
        rows={bill.services}
        columns={[
          { head: 'Category', cell: (row) => row.category || MISSING },
          { head: 'Service', cell: (row) => row.service || MISSING },
          ...costs<Bill['services'][number]>(currency),
        ]}
      />
      {bill.tags.map((tag) => (
        <RowsTable
          key={tag.key}
          title={`Tag ${tag.key}`}
          rows={tag.values}
          columns={[
            { head: 'Value', cell: (row) => row.value },
            { head: 'Cost', number: true, cell: (row) => amount(row.effective, currency) },
          ]}
        />
      ))}
      <RowsTable
        title="Not recognised"
        note="Counted in the other cost of the baseline."
        rows={bill.unplaced.lines}
        columns={[
          { head: 'Service', cell: (row) => row.service || MISSING },
          { head: 'Description', cell: (row) => row.description },
          ...costs<Bill['unplaced']['lines'][number]>(currency),
        ]}
      />
    </>
  );
}
