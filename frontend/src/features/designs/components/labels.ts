import { exact } from '../../../lib/format';
import { isObject } from '../../../lib/pointer';
import { resolve, variantOf, type JsonSchema } from '../../../lib/schema';

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
