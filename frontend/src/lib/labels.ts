import { entered, exact, MISSING, range, type Currency } from './format';
import { isObject, read, type Json, type JsonObject } from './pointer';
import { schemaAt, words, type JsonSchema } from './schema';

function itemName(document: Json | undefined, pointer: string, number: string): string {
  const item = read(document, pointer);
  const name = isObject(item) ? item.name : undefined;
  return typeof name === 'string' && name !== '' ? name : String(Number(number) + 1);
}

/** The titles on the way to a place, as a reader knows it: Node groups · compute · Power · Peak power. */
export function labelOf(
  start: JsonSchema,
  root: JsonSchema,
  document: Json | undefined,
  pointer: string,
): string {
  const parts = pointer.split('/').slice(1);
  const labels = parts.map((part, at) => {
    const prefix = parts
      .slice(0, at + 1)
      .map((entry) => `/${entry}`)
      .join('');
    if (/^\d+$/.test(part)) return itemName(document, prefix, part);
    return schemaAt(start, root, document, prefix)?.title ?? words(part);
  });
  return labels.join(' · ');
}

/** What stands at an input, in words: of a range its ends, of a list how many entries it has. */
export function valueText(value: unknown, unit?: string, currency?: Currency): string {
  if (value === null || value === undefined || value === '') return MISSING;
  // Money as it is written elsewhere, with its cents; what else was entered without zeros put on.
  if (typeof value === 'number') {
    return unit?.startsWith('USD') ? entered(value, unit, currency) : exact(value, unit, currency);
  }
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.length === 1 ? '1 entry' : `${value.length} entries`;
  if (typeof value !== 'object') return String(value);
  const { low, high } = value as JsonObject;
  const isRange = typeof low === 'number' && typeof high === 'number';
  return isRange ? range(low, high, unit ?? '', currency, entered) : 'a group';
}
