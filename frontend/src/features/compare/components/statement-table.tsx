import { useState } from 'react';
import { IconButton } from '../../../components/button';
import { Segments } from '../../../components/control';
import type { Comparison } from '../../../lib/comparison';
import { saveText, toCsv } from '../../../lib/csv';
import styles from './years-table.module.css';

/** A design by fiscal year, in the books of its owner: one design at a time. */
export function StatementTable({
  comparison,
  initial,
}: {
  comparison: Comparison;
  initial: string;
}) {
  const { designs, currency, drawn } = comparison;
  const [letter, setLetter] = useState<string | null>(null);
  const design = designs.find((entry) => entry.letter === (letter ?? initial)) ?? designs[0];
  const told = design && drawn?.statements?.[design.letter];
  if (!told) return null;
  const years = design.statement ?? [];
  const save = () => {
    const columns = told.lines.map(({ label }) => ({ label, unit: 'USD' }));
    const rows = years.map((year, at) => [
      told.heads[at] ?? '',
      ...told.lines.map(({ field }) => year[field as keyof typeof year] ?? null),
    ]);
    const twin = { columns: [{ label: 'Fiscal year', unit: '' }, ...columns], rows };
    saveText(`fiscal-years-${design.letter.toLowerCase()}.csv`, toCsv(twin, currency), 'text/csv');
  };
  return (
    <section className="box shrink whole" aria-labelledby="statement-title">
      <header className={styles.head}>
        <div>
          <p className="muted small">{drawn.statement_note}</p>
          <h2 id="statement-title" className="title">
            By fiscal year: {design.letter}, {design.title}
          </h2>
        </div>
        <div className="row gap-6">
          <Segments
            label="Design of the statement"
            value={design.letter}
            choices={designs.map((entry) => ({ value: entry.letter, label: entry.letter }))}
            onChange={setLetter}
          />
          <IconButton
            small
            icon="download"
            label="By fiscal year: download as CSV"
            onClick={save}
          />
        </div>
      </header>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="By fiscal year">
        <table>
          <thead>
            <tr>
              <th scope="col">{currency.code}</th>
              {told.heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {told.lines.map((line) => (
              <tr key={line.field} className={line.balance ? 'muted' : undefined}>
                <th scope="row" title={line.about}>
                  {line.label}
                </th>
                {line.cells.map((cell, at) => (
                  <td key={told.heads[at]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
