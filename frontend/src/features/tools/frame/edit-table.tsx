import { useState, type ClipboardEvent, type ReactNode } from 'react';
import { Button, IconButton } from '../../../components/button';
import { AmountInput } from '../../../components/amount-field';
import { Select, TextArea, TextInput } from '../../../components/control';
import { counted, unitLabel, type Currency } from '../../../lib/format';
import { words } from '../../../lib/schema';
import { typedText } from '../../../lib/units';
import { emptyRow, parseRows, type Cell, type Column, type Row } from './table';
import styles from './tools.module.css';

interface EditTableProps {
  label: string;
  columns: readonly Column[];
  rows: readonly Row[];
  /** What amounts are typed and shown in. */
  currency: Currency;
  onRows: (rows: Row[]) => void;
  /** A line as an example of what may be pasted. */
  example: string;
  actions?: ReactNode;
  /** Rows drawn at most; the others are kept and said. */
  shown?: number;
}

interface CellInputProps {
  column: Column;
  currency: Currency;
  value: Cell;
  name: string;
  onChange: (value: Cell) => void;
  onPaste: (text: string) => boolean;
}

/** A value as it stands in a cell: shares in percent. */
const cellText = (value: Cell, unit = '', currency?: Currency) =>
  typeof value === 'number' ? typedText(value, unit, currency) : (value ?? '');

function ChoiceCell({ column, value, name, onChange }: CellInputProps) {
  const choices = (column.choices ?? []).map((one) => ({ value: one, label: words(one) }));
  const blank = { value: '', label: '—' };
  return (
    <Select
      aria-label={name}
      value={cellText(value)}
      choices={value ? choices : [blank, ...choices]}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function CellInput({ column, currency, value, name, onChange, onPaste }: CellInputProps) {
  const lacking = !column.optional && (value === null || value === '');
  const cell = {
    'aria-label': name,
    'aria-invalid': lacking || undefined,
    placeholder: lacking ? '—' : undefined,
    title: lacking
      ? 'Not known: enter it, or the row is left out.'
      : cellText(value, column.unit ?? '', currency),
    onPaste: (event: ClipboardEvent<HTMLInputElement>) => {
      if (onPaste(event.clipboardData.getData('text'))) event.preventDefault();
    },
  };
  if (column.kind === 'number') {
    return (
      <AmountInput
        {...cell}
        value={typeof value === 'number' ? value : null}
        unit={column.unit}
        currency={currency}
        context={{ name: column.label }}
        onAmount={onChange}
      />
    );
  }
  return (
    <TextInput
      {...cell}
      value={cellText(value)}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

interface PasteProps {
  columns: readonly Column[];
  currency: Currency;
  example: string;
  onRows: (rows: Row[]) => void;
  onClose: () => void;
}

function Paste({ columns, currency, example, onRows, onClose }: PasteProps) {
  const [typed, setTyped] = useState('');
  const { rows, faults } = parseRows(typed, columns, currency);
  return (
    <div className="stack gap-8">
      <TextArea
        rows={6}
        spellCheck={false}
        aria-label="Rows as CSV"
        placeholder={example}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {faults.length > 0 && (
        <ul className="small fault" role="alert">
          {faults.slice(0, 5).map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
          {faults.length > 5 && <li>and {faults.length - 5} more</li>}
        </ul>
      )}
      <div className="line gap-8">
        <Button
          small
          look="primary"
          disabled={rows.length === 0}
          onClick={() => {
            onRows(rows);
            onClose();
          }}
        >
          {rows.length === 0 ? 'Replace the rows' : `Replace by ${counted(rows.length, 'row')}`}
        </Button>
        <Button small onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}

/** A table that is typed, or pasted from a spreadsheet or a CSV file. */
export function EditTable(props: EditTableProps) {
  const { label, columns, rows, currency, onRows, example, actions, shown = 60 } = props;
  const [pasting, setPasting] = useState(false);
  const change = (at: number, key: string, value: Cell) =>
    onRows(rows.map((row, place) => (place === at ? { ...row, [key]: value } : row)));
  const pasteAt = (text: string) => {
    if (!/[\t\n]/.test(text.trim())) return false;
    const pasted = parseRows(text, columns, currency);
    if (pasted.rows.length > 0) onRows(pasted.rows);
    return true;
  };
  return (
    <div className="stack gap-8 shrink">
      <div className={styles.tableScroll} tabIndex={0} role="region" aria-label={label}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  className={column.kind === 'number' ? 'right' : undefined}
                  style={{ minWidth: column.width ?? 64 }}
                >
                  {column.label}
                  {column.unit && <span> {unitLabel(column.unit, currency)}</span>}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, at) => (
              <tr key={at}>
                {columns.map((column) => {
                  const Input = column.choices ? ChoiceCell : CellInput;
                  return (
                    <td key={column.key}>
                      <Input
                        column={column}
                        currency={currency}
                        value={row[column.key] ?? null}
                        name={`${column.label}, row ${at + 1}`}
                        onChange={(value) => change(at, column.key, value)}
                        onPaste={pasteAt}
                      />
                    </td>
                  );
                })}
                <td>
                  <IconButton
                    small
                    icon="close"
                    label={`Remove row ${at + 1}`}
                    onClick={() => onRows(rows.filter((_, place) => place !== at))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > shown && (
        <p className="muted small">and {rows.length - shown} more rows, kept but not listed</p>
      )}
      <div className="line gap-8">
        <Button small icon="plus" onClick={() => onRows([...rows, emptyRow(columns)])}>
          Add a row
        </Button>
        <Button small icon="table" aria-expanded={pasting} onClick={() => setPasting(!pasting)}>
          Paste rows
        </Button>
        {actions}
      </div>
      {pasting && (
        <Paste
          columns={columns}
          currency={currency}
          example={example}
          onRows={onRows}
          onClose={() => setPasting(false)}
        />
      )}
    </div>
  );
}
