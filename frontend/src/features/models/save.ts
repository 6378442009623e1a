import { fileName, saveText, toCsv } from '../../lib/csv';
import type { TableTwin } from '../../lib/figure';
import { USD } from '../../lib/format';
import type { JsonObject } from '../../lib/pointer';
import { twinOf } from './figures/series';
import type { ResultParts, Rows } from './result-parts';

/** The single figures of a result as a table. */
export function factsTable(parts: ResultParts): TableTwin {
  const text = (value: string | number | boolean | null) =>
    typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value;
  return {
    columns: ['Group', 'Figure', 'Value', 'Unit'].map((label) => ({ label, unit: '' })),
    rows: parts.groups.flatMap(({ title, facts }) =>
      facts.map((fact) => [title, fact.label, text(fact.value), fact.unit]),
    ),
  };
}

export interface Saved {
  label: string;
  save: () => void;
}

/** What can be saved of a result: all of it as JSON, its figures and each table as CSV. */
export function savable(
  model: { id: string; version: string },
  answer: { params: JsonObject; result: JsonObject },
  parts: ResultParts,
): Saved[] {
  const name = fileName(model.id);
  const csv = (title: string, table: TableTwin): Saved => ({
    label: `${title} as CSV`,
    save: () => saveText(`${name}-${fileName(title)}.csv`, toCsv(table, USD), 'text/csv'),
  });
  const whole = { model: model.id, version: model.version, ...answer };
  return [
    {
      label: 'Inputs and result as JSON',
      save: () =>
        saveText(`${name}.json`, `${JSON.stringify(whole, null, 2)}\n`, 'application/json'),
    },
    ...(parts.groups.length > 0 ? [csv('Figures', factsTable(parts))] : []),
    ...parts.tables.map((table: Rows) => csv(table.title, twinOf(table))),
  ];
}
