import { isSheet, moduleSheet } from '../../lib/memory-modules';
import { isObject, join, type Json, type JsonObject } from '../../lib/pointer';
import { resolve, variants, type JsonSchema } from '../../lib/schema';
import type { CatalogueEntry, CatalogueValue, RegionPrices } from '../../lib/types';
import { nothing, originOf, ruled, together, type Filling } from './places';

/** What a region's prices put into a document: the price of each part that names its entry. */
export function regionFilling(document: JsonObject, found: RegionPrices | null): Filling {
  const result = nothing();
  for (const [name, list] of Object.entries(document)) {
    if (!Array.isArray(list)) continue;
    list.forEach((item, at) => {
      const held = found?.prices.find(({ slug }) => isObject(item) && item.entry === slug);
      const filled = held && regionPrice(join(join('', name), at), held);
      result.values.push(...(filled?.values ?? []));
      result.origins.push(...(filled?.origins ?? []));
    });
  }
  return result;
}

/** The price of one part in a region, with its day; nothing where none is held. */
export function regionPrice(place: string, held: RegionPrices['prices'][number]): Filling {
  const { price, entry, field } = held;
  if (typeof price?.value !== 'number') return nothing();
  const { value, quality, source, url, as_of, low, high } = price;
  const at = join(place, 'usd_per_h');
  const day: Filling['values'] = as_of ? [[join(place, 'price_as_of'), as_of]] : [];
  const origin = { quality, source, url, as_of, low, high, entry, field };
  return { values: [[at, value], ...day], origins: [[at, origin]] };
}

function fits(schema: JsonSchema, value: CatalogueValue['value']): boolean {
  if (schema.type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  if (schema.type === 'number') return typeof value === 'number';
  if (schema.enum) return schema.enum.includes(value as Json);
  return schema.type === 'string' && typeof value === 'string';
}

function special(name: string, schema: JsonSchema, entry: CatalogueEntry): Json | undefined {
  if (name === 'entry') return entry.slug;
  if (name === 'name' && schema.type === 'string') return entry.title;
  if (name !== 'price_as_of' && name !== 'as_of') return undefined;
  const price = Object.entries(entry.values).find(([key]) => /(^|_)usd(_|$)/.test(key));
  return price?.[1].as_of ?? undefined;
}

/** The case of a union whose needs an entry meets best; none when it meets no need of any. */
function bestCase(union: JsonSchema, root: JsonSchema, entry: CatalogueEntry) {
  const key = union.discriminator?.propertyName ?? 'kind';
  const scored = variants(union, root).map((variant) => {
    const needs = (variant.schema.required ?? []).filter((name) => name !== key);
    const met = needs.filter((name) => entry.values[name] != null).length;
    return { variant, key, met, isFull: needs.length > 0 && met === needs.length };
  });
  return scored.filter((row) => row.isFull).sort((a, b) => b.met - a.met)[0];
}

/**
 * What an entry of the catalogue puts into a group: the fields of the same name, and those of
 * groups directly below that it fills completely; then what the table of places says. Each has the
 * entry's source and date.
 */
export function filling(
  schema: JsonSchema,
  root: JsonSchema,
  pointer: string,
  held: Json | undefined,
  entry: CatalogueEntry,
  depth = 0,
): Filling {
  const result = nothing();
  const derived: JsonObject = isSheet(schema.properties) ? moduleSheet(entry) : {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const here = resolve(property, root).schema;
    const at = join(pointer, name);
    const value = entry.values[name];
    const own = special(name, here, entry);
    if (own !== undefined && depth === 0) result.values.push([at, own]);
    else if (value && value.value !== null && fits(here, value.value)) {
      result.values.push([at, value.value as Json]);
      result.origins.push([at, originOf(entry, value)]);
    } else if (derived[name] !== undefined) {
      result.values.push([at, derived[name]]);
    } else if (here.oneOf && depth === 0) {
      const found = fillCase(here, root, at, isObject(held) ? held[name] : undefined, entry);
      result.values.push(...found.values);
      result.origins.push(...found.origins);
    }
  }
  return depth === 0 ? together(result, ruled(schema, root, pointer, entry)) : result;
}

/** The case of a union that an entry fills completely; nothing where it fills none. */
function fillCase(
  union: JsonSchema,
  root: JsonSchema,
  at: string,
  held: Json | undefined,
  entry: CatalogueEntry,
): Filling {
  const best = bestCase(union, root, entry);
  if (!best) return nothing();
  const inner = filling(best.variant.schema, root, at, undefined, entry, 1);
  const old = isObject(held) ? held : {};
  const base = old[best.key] === best.variant.tag ? old : {};
  const whole: Json = { ...base, [best.key]: best.variant.tag };
  return { values: [[at, whole], ...inner.values], origins: inner.origins };
}
