import { isObject, type Json } from '../../../lib/pointer';
import { resolve, schemaAt, variantOf, words, type JsonSchema } from '../../../lib/schema';
import { exact } from '../../../lib/format';

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
    if (/^\d+$/.test(part)) return String(Number(part) + 1);
    return schemaAt(start, root, document, prefix)?.title ?? words(part);
  });
  return labels.join(' · ');
}

export function valueText(value: unknown, schema: JsonSchema | undefined): string {
  if (value === null || value === undefined) return '—';
  if (typeof value === 'number') return exact(value, schema?.unit);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.length === 1 ? '1 entry' : `${value.length} entries`;
  return isObject(value) ? 'a group' : String(value);
}

/** The schema of a design of one kind, within that of the plan. */
export function designSchema(plan: JsonSchema, kind: string): JsonSchema | undefined {
  const union = designUnion(plan);
  return union && variantOf(union, plan, { kind }).current?.schema;
}

export function designUnion(plan: JsonSchema): JsonSchema | undefined {
  const list = plan.properties?.designs;
  const items = list && resolve(list, plan).schema.items;
  return items && resolve(items, plan).schema;
}
