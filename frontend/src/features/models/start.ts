import { same } from '../../lib/changes';
import type { Case } from '../../lib/models';
import { isObject, type JsonObject } from '../../lib/pointer';
import { numericLeaves, resolve, type JsonSchema } from '../../lib/schema';
import type { Provenance } from '../../lib/types';

export interface Beginning {
  value: string;
  label: string;
  source: string | null;
  params: JsonObject;
}

/** What a form may begin with: the defaults, then the published cases that differ. */
export function beginnings(start: JsonObject, cases: readonly Case[]): Beginning[] {
  const found: Beginning[] = [];
  for (const { check, title, source, params } of cases) {
    const known = found.some((other) => same(other.params, params as JsonObject));
    if (!known) found.push({ value: check, label: title, source, params: params as JsonObject });
  }
  const first = found.find((entry) => same(entry.params, start));
  const rest = found.filter((entry) => entry !== first);
  return [
    first
      ? { ...first, value: '', label: `Defaults: ${first.label}` }
      : { value: '', label: 'The defaults', source: null, params: start },
    ...rest,
  ];
}

const FEW = 24;

/** The groups that stand open at first: all of the top where the whole form is short. */
export function openAtFirst(schema: JsonSchema, start: JsonObject): string[] {
  if (numericLeaves(schema, schema, start).length > FEW) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const here = resolve(property, schema).schema;
    const isGroup = here.oneOf !== undefined || here.properties !== undefined;
    return isGroup && isObject(start[key]) ? [`/${key}`] : [];
  });
}

/** Where the values of groups come from that are still at their default. */
export function originsOf(schema: JsonSchema, start: JsonObject, params: JsonObject): Provenance {
  const entries = Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const source = resolve(property, schema).schema.default_source;
    const kept = source !== undefined && same(params[key], start[key]);
    const isWhole = typeof start[key] === 'object' && start[key] !== null;
    const origin = { quality: 'published', ...source };
    return kept && isWhole ? [[`/${key}`, origin] as const] : [];
  });
  return Object.fromEntries(entries);
}
