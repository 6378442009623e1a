import { exact, MISSING, range, type Currency } from '../../../lib/format';

/** A value of an input, or what of it an answer has. */
export type Standing = number | string | boolean | null | { low: number; high: number };

/** What stands at one end of a change, in words. */
export function standing(value: Standing, unit: string, currency: Currency): string {
  if (value === null || value === '') return MISSING;
  if (typeof value === 'number') return exact(value, unit, currency);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return value;
  return range(value.low, value.high, unit, currency);
}
