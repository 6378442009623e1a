import { useState } from 'react';
import { Button } from '../../../components/button';
import { AmountInput } from '../../../components/amount-field';
import { Select, TextInput } from '../../../components/control';
import { Fault } from '../../../components/fault';
import { Form } from '../../../components/form';
import { NumbersChoice, NumbersRead } from '../../../components/numbers-choice';
import { Table } from '../../../components/table';
import { ChooseFile } from '../../../components/uploads';
import { monthName, unitIn, type Currency } from '../../../lib/format';
import { useCurrency } from '../../../lib/studies';
import type { ActualRow, Actuals as Held, ActualsInput } from '../../../lib/types';
import { usePutActuals } from '../api/actuals';
import styles from './history.module.css';

interface Cells {
  month: string;
  cause: string;
  cost: number | null;
  energy: number | null;
}

const EMPTY: Cells = { month: '', cause: '', cost: null, energy: null };

const cellsOf = (row: ActualRow): Cells => ({
  month: row.month,
  cause: row.cause ?? '',
  cost: row.cost_usd ?? null,
  energy: row.energy_kwh ?? null,
});

const rowOf = (cells: Cells): ActualRow => ({
  month: cells.month,
  cause: cells.cause,
  cost_usd: cells.cost,
  energy_kwh: cells.energy,
});

const AMOUNTS: { name: 'cost' | 'energy'; label: string; unit: string }[] = [
  { name: 'cost', label: 'Cost', unit: 'USD' },
  { name: 'energy', label: 'Energy', unit: 'kWh' },
];

interface RowsProps {
  rows: readonly Cells[];
  causes: readonly { value: string; label: string }[];
  currency: Currency;
  onChange: (at: number, change: Partial<Cells>) => void;
  onRemove: (at: number) => void;
}

function Rows({ rows, causes, currency, onChange, onRemove }: RowsProps) {
  const amounts = AMOUNTS.map((one) => ({
    ...one,
    label: `${one.label} (${unitIn(one.unit, currency)})`,
  }));
  return (
    <Table
      label="What happened by month"
      className={`${styles.table} ${styles.entry}`}
      heads={['Month', ...amounts.map(({ label }) => label), 'Cause']}
      acts
    >
      {rows.map((row, at) => (
        <tr key={at}>
          <td>
            <TextInput
              type="month"
              required
              aria-label={`Month, row ${at + 1}`}
              value={row.month}
              onChange={(event) => onChange(at, { month: event.target.value })}
            />
          </td>
          {amounts.map(({ name, label, unit }) => (
            <td key={name}>
              <AmountInput
                aria-label={`${label}, row ${at + 1}`}
                value={row[name]}
                unit={unit}
                currency={currency}
                onAmount={(value) => onChange(at, { [name]: value })}
              />
            </td>
          ))}
          <td>
            <Select
              choices={causes}
              aria-label={`Cause, row ${at + 1}`}
              value={row.cause}
              onChange={(event) => onChange(at, { cause: event.target.value })}
            />
          </td>
          <td>
            <Button small look="danger" onClick={() => onRemove(at)}>
              Remove<span className="visually-hidden"> row {at + 1}</span>
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Plan({ held, onSaid }: { held: Held; onSaid: (said: ActualsInput) => void }) {
  const designs = held.comparison?.designs ?? [];
  const choices = designs.map(({ letter, title }) => ({
    value: letter,
    label: `${letter}: ${title}`,
  }));
  return (
    <div className="form">
      <label>
        Design
        <Select
          choices={choices}
          value={held.comparison?.letter}
          onChange={(event) => onSaid({ starts_on: held.starts_on, letter: event.target.value })}
        />
      </label>
      <label>
        First month of the plan
        <TextInput
          key={held.comparison?.starts_on}
          type="month"
          defaultValue={held.comparison?.starts_on}
          onBlur={({ target: { value } }) => {
            if (value && value !== held.comparison?.starts_on)
              onSaid({ letter: held.letter, starts_on: value });
          }}
        />
      </label>
    </div>
  );
}

const monthsSaid = (months: readonly string[]) =>
  months.length > 1
    ? `${monthName(months[0] ?? '')} to ${monthName(months.at(-1) ?? '')}`
    : months.map(monthName).join('');

/** What the design cost and used: typed, read from a table, or taken from a bill. */
export function ActualsEntry({ studyId, held }: { studyId: string; held: Held }) {
  const put = usePutActuals(studyId);
  const currency = useCurrency(studyId);
  const [rows, setRows] = useState<Cells[]>(() =>
    held.rows.length > 0 ? held.rows.map(cellsOf) : [EMPTY],
  );
  const said = { letter: held.letter, starts_on: held.starts_on };
  const take = {
    onSuccess: (found: Held) => setRows(found.rows.length > 0 ? found.rows.map(cellsOf) : [EMPTY]),
  };
  const known = held.comparison?.known_causes ?? [];
  const causes = [
    { value: '', label: 'In all' },
    ...known.map(({ cause, label }) => ({ value: cause, label })),
  ];
  const entered = () => rows.filter((row) => row.month).map(rowOf);
  const submit = () => put.mutate({ ...said, rows: entered() }, take);
  const read = async (file: File | undefined) => {
    if (file) put.mutate({ ...said, csv: await file.text() }, take);
  };
  return (
    <Form onSend={submit} className="stack gap-12">
      {held.comparison && (
        <Plan held={held} onSaid={(now) => put.mutate({ ...now, rows: entered() }, take)} />
      )}
      <Rows
        rows={rows}
        causes={causes}
        currency={currency}
        onChange={(at, change) =>
          setRows((now) => now.map((row, place) => (place === at ? { ...row, ...change } : row)))
        }
        onRemove={(at) => setRows((now) => now.filter((_, place) => place !== at))}
      />
      <div className="form">
        <Button onClick={() => setRows((now) => [...now, EMPTY])}>Add a row</Button>
        <ChooseFile label="Table of what happened" onFiles={([file]) => void read(file)}>
          Read a CSV
        </ChooseFile>
        <Button type="submit" disabled={put.isPending}>
          Save
        </Button>
      </div>
      <p className="muted small">
        A CSV has the columns month (2026-03), cause, cost_usd and energy_kwh; it replaces the rows
        above. A cause is left empty for a month in all, or is one of:{' '}
        {known.map(({ cause }) => cause).join(', ')}.
      </p>
      {held.bills.length > 0 && (
        <ul className="stack gap-12" aria-label="Bills">
          {held.bills.map((bill) => (
            <li key={bill.id} className={`${styles.line} line apart gap-8-16`}>
              <span>
                {bill.file_name}: {monthsSaid(bill.months)}
              </span>
              <Button
                small
                disabled={put.isPending}
                onClick={() => put.mutate({ ...said, bill: bill.id }, take)}
              >
                Take its months<span className="visually-hidden"> from {bill.file_name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <NumbersRead notes={put.data?.numbers_read} />
      <Fault of={put} />
      <NumbersChoice
        error={put.error}
        onChoose={(numbers) => put.mutate({ ...said, ...put.variables, numbers }, take)}
      />
    </Form>
  );
}
