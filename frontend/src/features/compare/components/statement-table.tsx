import { useState } from 'react';
import type { Comparison } from '../../../lib/comparison';
import { saveText, toCsv } from '../../../lib/csv';
import { TableOfDesign } from './table-of-design';

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
    <TableOfDesign
      name="By fiscal year"
      note={drawn.statement_note}
      title={`By fiscal year: ${design.letter}, ${design.title}`}
      designs={designs}
      letter={design.letter}
      onLetter={setLetter}
      onSave={save}
      isWide
    >
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
    </TableOfDesign>
  );
}
