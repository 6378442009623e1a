import { hiddenPlaces } from '../../lib/hidden';
import { isObject, type Json } from '../../lib/pointer';
import {
  numericLeaves,
  resolve,
  variantOf,
  type JsonSchema,
  type NumericLeaf,
} from '../../lib/schema';
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

/** Of a part's numbers those that move something: what has no effect is no lever. */
function withEffect(
  leaves: readonly NumericLeaf[],
  schema: JsonSchema,
  plan: JsonSchema,
  part: Json | undefined,
): NumericLeaf[] {
  const hidden = isObject(part) ? hiddenPlaces(schema, plan, part) : [];
  const ends = hidden.map((place) => `${place}/`);
  return leaves.filter(({ pointer }) => !ends.some((place) => within(pointer).startsWith(place)));
}

/** A pointer within its part of the study, with an end: /pue/ of /assumptions/pue. */
const within = (pointer: string) => `${pointer.replace(/^\/(designs\/[^/]+|[^/]+)/u, '')}/`;

/** Every number of the study that moves something, named by the titles on the way to it. */
export function extraInputs(
  plan: JsonSchema | undefined,
  document: StudyDocument | undefined,
): SliderInput[] {
  if (!plan || !document) return [];
  const part = (name: 'workload' | 'assumptions') => {
    const schema = plan.properties?.[name];
    if (!schema) return [];
    const leaves = numericLeaves(schema, plan, document[name], `/${name}`);
    return withEffect(leaves, schema, plan, document[name]);
  };
  const designs = document.designs.flatMap((design) => {
    const items = resolve(plan.properties?.designs ?? {}, plan).schema.items;
    const union = items && resolve(items, plan).schema;
    const schema = union && variantOf(union, plan, design).current?.schema;
    const letter = isObject(design) ? String(design.letter) : '';
    if (!schema) return [];
    const leaves = numericLeaves(schema, plan, design, `/designs/${letter}`, [letter]);
    return withEffect(leaves, schema, plan, design);
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
