import { exact, quantity } from '../../lib/format';
import { words } from '../../lib/schema';
import type { CatalogueEntry, CatalogueValue } from '../../lib/types';

const UNIT_TAIL =
  /_(usd_per_[a-z_0-9]+|usd|[a-z0-9]+_per_[a-z_0-9]+|fraction|ratio|count|years|gib|gb|tb|mb|kwh|w|h|s|ms|kgco2e|index)$/;

/** A field's name as a reader sees it, without the unit that stands beside it. */
export function fieldLabel(name: string): string {
  const bare = name.replace(UNIT_TAIL, '');
  if (/^usd(_per_|$)/.test(name)) return 'Price';
  const isPower = /_w(_per_[a-z]+)?$/.test(name) && !bare.endsWith('power');
  return words(bare === '' ? name : bare) + (isPower ? ' power' : '');
}

function rank(value: CatalogueValue): number {
  if (value.unit?.startsWith('USD')) return 0;
  if (typeof value.value === 'number') return 1;
  return Array.isArray(value.value) ? 2 : 3;
}

/** The fields of an entry: prices, other numbers, series, texts. */
export function ordered(values: CatalogueEntry['values']): [string, CatalogueValue][] {
  return Object.entries(values).sort(
    ([first, a], [second, b]) => rank(a) - rank(b) || first.localeCompare(second),
  );
}

export function shortValue(value: CatalogueValue | undefined): string {
  if (!value) return '—';
  if (typeof value.value === 'number') return quantity(value.value, value.unit);
  if (Array.isArray(value.value)) return `${value.value.length} values`;
  return value.value;
}

export function fullValue(value: CatalogueValue): string {
  if (typeof value.value === 'number') return exact(value.value, value.unit);
  if (Array.isArray(value.value)) {
    return value.value.map((item) => exact(item, value.unit)).join(', ');
  }
  return value.value;
}

const SHOWN = 7;

/** The columns of a list of entries: the fields that most of them have, in their order. */
export function columnsOf(entries: readonly CatalogueEntry[]): string[] {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    for (const [name] of ordered(entry.values)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const common = [...counts].filter(([, count]) => count * 2 >= entries.length);
  const differ = common.filter(([name]) => {
    const first = entries[0]?.values[name];
    const same = (entry: CatalogueEntry) =>
      JSON.stringify(entry.values[name]?.value) === JSON.stringify(first?.value);
    return entries.length === 1 || !entries.every(same);
  });
  return differ.slice(0, SHOWN).map(([name]) => name);
}
