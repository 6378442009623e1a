import { isObject, type Json, type JsonObject } from '../../../lib/pointer';
import type { JsonSchema } from '../../../lib/schema';
import { number, text, type Row } from '../frame/table';

/** What the board asks beside its tables, under the names that the model has for it. */
const ASKED = ['services', 'tolerance_ratio', 'migration'] as const;
/** How a full resource slows the work on it: fields of the model's curves. */
const SLOWING = ['degradation_ratio', 'degradation_exponent'] as const;

export const SLOWING_KEY = 'slowing';

function picked(schema: JsonSchema, keys: readonly string[]): Record<string, JsonSchema> {
  const all = schema.properties ?? {};
  return Object.fromEntries(keys.flatMap((key) => (all[key] ? [[key, all[key]]] : [])));
}

/** The schema of these questions: parts of the model's own, and its curves for each resource. */
export function moreSchema(plan: JsonSchema, resources: Record<string, string>): JsonSchema {
  const curve = plan.$defs?.Curve ?? {};
  const one = (title: string): JsonSchema => ({
    type: 'object',
    title,
    properties: picked(curve, SLOWING),
  });
  const each = Object.entries(resources).map(([key, name]) => [
    key,
    one(name.charAt(0).toUpperCase() + name.slice(1)),
  ]);
  return {
    type: 'object',
    properties: {
      ...picked(plan, ASKED),
      [SLOWING_KEY]: {
        type: 'object',
        title: 'Slowing',
        description: 'How much longer work takes as a server fills, for the tolerance.',
        properties: Object.fromEntries(each) as Record<string, JsonSchema>,
      },
    },
  };
}

/** The part of the model's input that the questions are. */
export function moreParams(more: JsonObject): JsonObject {
  return Object.fromEntries(
    ASKED.flatMap((key) => (more[key] === undefined ? [] : [[key, more[key]]])),
  );
}

/** The fields of a resource's curve that slow work. */
export function slowingOf(more: JsonObject, resource: string): JsonObject {
  const all = more[SLOWING_KEY];
  const found = isObject(all) ? all[resource] : undefined;
  return isObject(found) ? found : {};
}

interface Tier {
  id: string;
  fixed: number;
  service: string;
  load: number;
}

const listed = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
const known = (value: Json | undefined, otherwise: number) =>
  typeof value === 'number' ? value : otherwise;

function tiers(more: JsonObject): Tier[] {
  return listed(more.services).flatMap((service) =>
    listed(service.tiers).map((tier) => ({
      id: String(tier.id ?? ''),
      fixed: known(tier.fixed_fraction, 0),
      service: String(service.name ?? ''),
      load: known(service.load_ratio, 1),
    })),
  );
}

/** What the demands of applications are multiplied by, as the model does at a service's load. */
export function loadRatios(more: JsonObject): Map<string, number> {
  return new Map(tiers(more).map(({ id, fixed, load }) => [id, fixed + (1 - fixed) * load]));
}

/** Applications with the demands that are planned for. */
export function atLoad(
  applications: readonly Row[],
  resources: readonly string[],
  more: JsonObject,
): Row[] {
  const ratios = loadRatios(more);
  return applications.map((row) => {
    const ratio = ratios.get(text(row, 'id')) ?? 1;
    const shares = resources.map((key) => [key, (number(row, key) ?? 0) * ratio]);
    return ratio === 1 ? row : { ...row, ...Object.fromEntries(shares) };
  });
}

/** Names in the services and among the kinds that nothing has, one sentence each. */
export function moreFaults(
  applications: readonly Row[],
  kinds: readonly string[],
  allowed: (row: Row) => readonly string[],
  more: JsonObject,
): string[] {
  const ids = new Set(applications.map((row) => text(row, 'id')));
  const lost = tiers(more)
    .filter(({ id }) => !ids.has(id))
    .map(({ id, service }) =>
      id === ''
        ? `Service ${service}: choose the application of each tier.`
        : `Service ${service}: no application is called “${id}”.`,
    );
  const strange = applications.flatMap((row) =>
    allowed(row)
      .filter((kind) => !kinds.includes(kind))
      .map((kind) => `${text(row, 'id')} may run on “${kind}”, but no server is of this kind.`),
  );
  return [...lost, ...strange];
}
