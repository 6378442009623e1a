import { isObject } from '../../lib/pointer';
import { numericLeaves, resolve, variantOf, type JsonSchema } from '../../lib/schema';
import type { StudyDocument } from '../../lib/types';
import type { SliderInput } from './components/slider';

const SPREAD = 0.2;

function ends(value: number, schema: JsonSchema): { low: number; high: number } {
  const width = value === 0 ? 1 : Math.abs(value) * SPREAD;
  const { low, high } = schema.default_source ?? {};
  const floor = schema.minimum ?? schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY;
  const ceiling = schema.maximum ?? schema.exclusiveMaximum ?? Number.POSITIVE_INFINITY;
  return {
    low: Math.max(floor, Math.min(value, low ?? value - width)),
    high: Math.min(ceiling, Math.max(value, high ?? value + width)),
  };
}

/** Every number of the study as something to move, named by the titles on the way to it. */
export function extraInputs(
  plan: JsonSchema | undefined,
  document: StudyDocument | undefined,
): SliderInput[] {
  if (!plan || !document) return [];
  const part = (name: 'workload' | 'assumptions') => {
    const schema = plan.properties?.[name];
    return schema ? numericLeaves(schema, plan, document[name], `/${name}`) : [];
  };
  const designs = document.designs.flatMap((design) => {
    const items = resolve(plan.properties?.designs ?? {}, plan).schema.items;
    const union = items && resolve(items, plan).schema;
    const schema = union && variantOf(union, plan, design).current?.schema;
    const letter = isObject(design) ? String(design.letter) : '';
    return schema ? numericLeaves(schema, plan, design, `/designs/${letter}`, [letter]) : [];
  });
  return [...designs, ...part('workload'), ...part('assumptions')].map((leaf) => ({
    pointer: leaf.pointer,
    label: leaf.labels.join(' · '),
    unit: leaf.schema.unit ?? '',
    value: leaf.value,
    ...ends(leaf.value, leaf.schema),
    schema: leaf.schema,
    least: leaf.schema.minimum,
    most: leaf.schema.maximum,
  }));
}
