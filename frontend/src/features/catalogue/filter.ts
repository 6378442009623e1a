import type { CatalogueFilter } from '../../lib/catalogue';
import type { CatalogueEntry } from '../../lib/types';

export type Order = NonNullable<CatalogueFilter['sort']>;

/** What narrows a list beside its kind and its words. */
export type Narrowing = Pick<
  CatalogueFilter,
  'provider' | 'region' | 'own' | 'cores_count_least' | 'ram_gib_least' | 'price_usd_most' | 'sort'
>;

/** Where the entries that a list is narrowed to are as a table, in their own order. */
export function csvOf(kind: string, q: string, { sort: _, ...narrowing }: Narrowing): string {
  const query = new URLSearchParams({ kind });
  for (const [name, value] of Object.entries({ q, ...narrowing })) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return `/api/v1/catalogue/csv?${query.toString()}`;
}

const KEYS: Record<string, string> = {
  cores_per_node_count: 'cores_count',
  cores_count: 'cores_count',
  vcpu_count: 'cores_count',
  ram_gib: 'ram_gib',
  memory_gb: 'ram_gib',
  capacity_gib: 'ram_gib',
  capacity_tb: 'capacity_tb',
  year: 'year',
  usd_per_h: 'price_usd',
  unit_price_usd: 'price_usd',
  usd_per_gb_month: 'price_usd',
  usd_per_gb: 'price_usd',
};

/** What the server sorts a column by; nothing where it cannot. */
export const keyOf = (column: string): string | undefined => KEYS[column];

/** The order after a press on a column's head: up, then down, then as in the files. */
export function nextOrder(sort: Order | undefined, key: string): Order | undefined {
  if (sort === key) return `-${key}` as Order;
  return sort === `-${key}` ? undefined : (key as Order);
}

export function directionOf(sort: Order | undefined, key: string | undefined) {
  if (key === undefined || sort === undefined) return undefined;
  if (sort === key) return 'ascending' as const;
  return sort === `-${key}` ? ('descending' as const) : undefined;
}

// Read by the models, chosen by nobody.
const INTERNAL = new Set(['coefficient', 'shape', 'power_family']);

export const isListed = ({ kind }: { kind: string }): boolean => !INTERNAL.has(kind);

/** Every field that any of the entries has, with its unit; null of a text. */
export function unitsOf(entries: readonly CatalogueEntry[]): Record<string, string | null> {
  const fields = entries.flatMap(({ values }) =>
    Object.entries(values).map(([name, { unit }]): [string, string | null] => [name, unit]),
  );
  return Object.fromEntries(fields.sort(([a], [b]) => a.localeCompare(b)));
}

/** Months in which prices were published, and how many are of each: newest first. */
export function priceMonths(days: Record<string, number>): [month: string, count: number][] {
  const months = new Map<string, number>();
  for (const [day, count] of Object.entries(days)) {
    const month = day.slice(0, 7);
    months.set(month, (months.get(month) ?? 0) + count);
  }
  return [...months].sort(([a], [b]) => b.localeCompare(a));
}
