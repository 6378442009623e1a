import { resolve, variantOf, type JsonSchema } from '../../../lib/schema';

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
