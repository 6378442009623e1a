import type { TableTwin } from './figure';
import { inCurrency, unitIn, type Currency } from './format';

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  // A leading =, +, - or @ would run as a formula in a spreadsheet.
  const safe = /^[=+\-@\t]/.test(value) ? `'${value}` : value;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table as CSV: full values, amounts in the currency, the unit in each column's head. */
export function toCsv({ columns, rows: lines }: TableTwin, currency: Currency): string {
  const head = columns.map(({ label, unit }) =>
    cell(unit ? `${label} (${unitIn(unit, currency)})` : label),
  );
  const shown = (value: string | number | null, at: number) =>
    typeof value === 'number' ? inCurrency(value, columns[at]?.unit ?? '', currency) : value;
  const rows = lines.map((row) => row.map((value, at) => cell(shown(value, at))).join(','));
  return [head.join(','), ...rows].join('\r\n') + '\r\n';
}

export function saveText(name: string, text: string, type: string): void {
  saveBlob(name, new Blob([text], { type }));
}

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  saveUrl(name, url);
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function saveUrl(name: string, url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

export function fileName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60);
}
