import { useState } from 'react';
import type { Comparison, YearRow } from '../../../lib/comparison';
import { saveText, toCsv } from '../../../lib/csv';
import type { TableTwin } from '../../../lib/figure';
import { exact, money } from '../../../lib/format';
import { explainYear } from '../explanations';
import { Explained } from './explain';
import { TableOfDesign } from './table-of-design';

type Key = Exclude<keyof YearRow, 'year' | 'causes'>;

interface Column {
  key: Key;
  label: string;
}

const COLUMNS: Column[] = [
  { key: 'capex_usd', label: 'Capex, less value left' },
  { key: 'opex_usd', label: 'Opex' },
  { key: 'depreciation_usd', label: 'Depreciation' },
  { key: 'cash_usd', label: 'Cost, undiscounted' },
  { key: 'npv_usd', label: 'Present value' },
];

/** The books' columns as entered; beside simulations, what each year adds to their mean. */
function columnsOf({ odds, ranked_by }: Comparison): Column[] {
  if (!odds) return COLUMNS;
  const measure = ranked_by === 'present_value' ? 'Present value' : 'Cost';
  return [...COLUMNS, { key: 'ranked_usd', label: `${measure}, mean` }];
}

function twin(years: readonly YearRow[], columns: readonly Column[]): TableTwin {
  return {
    columns: [
      { label: 'Year', unit: 'count' },
      ...columns.map(({ label }) => ({ label, unit: 'USD' })),
    ],
    rows: years.map((year) => [year.year, ...columns.map(({ key }) => year[key])]),
  };
}

function sum(years: readonly YearRow[], key: Key): number {
  return years.reduce((total, year) => total + year[key], 0);
}

/** Year by year, as the books see it: one design at a time. */
export function YearsTable({ comparison, initial }: { comparison: Comparison; initial: string }) {
  const { designs, currency } = comparison;
  const [letter, setLetter] = useState<string | null>(null);
  const design = designs.find((entry) => entry.letter === (letter ?? initial)) ?? designs[0];
  if (!design) return null;
  const printed = comparison.drawn?.years[design.letter] ?? {};
  const columns = columnsOf(comparison).filter(({ key }) => printed[key]);
  const save = () =>
    saveText(
      `years-${design.letter.toLowerCase()}.csv`,
      toCsv(twin(design.years, columns), currency),
      'text/csv',
    );
  return (
    <TableOfDesign
      name="Year by year"
      note={`Year by year${comparison.odds ? ', as entered but for the last column' : ''}; cost is what is paid less value left. Each amount is rounded by itself`}
      title={`${design.letter}, ${design.title}: ${money(design.ranked_usd, currency)}, ${comparison.measure.toLowerCase()}`}
      designs={designs}
      letter={design.letter}
      onLetter={setLetter}
      onSave={save}
    >
      <thead>
        <tr>
          <th scope="col">Year</th>
          {columns.map(({ key, label }) => (
            <th key={key} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {design.years.map((year, at) => (
          <tr key={year.year}>
            <th scope="row">{year.year}</th>
            {columns.map(({ key, label }) => (
              <td key={key} title={exact(year[key], 'USD', currency)}>
                <Explained of={() => explainYear(design, key, label, year, comparison)}>
                  {printed[key]?.[at]}
                </Explained>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Sum</th>
          {columns.map(({ key, label }) => (
            <td key={key} title={exact(sum(design.years, key), 'USD', currency)}>
              <Explained of={() => explainYear(design, key, label, null, comparison)}>
                {printed[key]?.at(-1)}
              </Explained>
            </td>
          ))}
        </tr>
      </tfoot>
    </TableOfDesign>
  );
}
