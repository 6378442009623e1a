import { entered, type Currency } from '../../lib/format';
import { asTyped } from '../../lib/typed-number';
import { isObject, type Json } from '../../lib/pointer';
import { resolve, variantOf, words, type JsonSchema } from '../../lib/schema';
import { typedIn } from '../../lib/units';

const SHOWN = 3;

function textOf(value: Json, schema: JsonSchema, currency: Currency): string | null {
  if (typeof value === 'number') {
    // A bare number, such as a year, says nothing without its name.
    if (!schema.unit) return null;
    const { unit, typed_unit: typed } = schema;
    return asTyped(entered(typedIn(unit, typed).shown(value), typed ?? unit, currency));
  }
  if (typeof value === 'string') return schema.choices?.[value] ?? null;
  if (value === true) return schema.title?.toLowerCase() ?? null;
  return null;
}

/** A part of a group that was entered; zeros say little beside others, but are no default. */
interface Part {
  text: string;
  isZero: boolean;
}

type Told = [schema: JsonSchema, root: JsonSchema, currency: Currency];

function parts(value: Json | undefined, ...[schema, root, currency]: Told): Part[] {
  const here = resolve(schema, root).schema;
  if (here.oneOf) {
    const { key, current } = variantOf(here, root, value);
    const tag = isObject(value) ? value[key] : undefined;
    return [
      { text: current?.title ?? words(String(tag ?? '')), isZero: false },
      ...(current ? parts(value, current.schema, root, currency) : []),
    ];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const property = here.properties?.[key];
    // What has an effect with some choices only says little of the whole.
    if (!property || property.shown_when) return [];
    const inner = resolve(property, root).schema;
    if (inner.const !== undefined) return [];
    if (isObject(item)) return parts(item, inner, root, currency);
    const text = textOf(item, inner, currency);
    return text === null ? [] : [{ text, isZero: item === 0 }];
  });
}

/** What a folded group says of itself: the first few numbers that were entered. */
export function summaryOf(value: Json | undefined, ...told: Told): string {
  if (value === undefined) return 'defaults';
  if (value === null) return 'none';
  if (Array.isArray(value)) return itemsText(value);
  const found = parts(value, ...told).filter(({ text }) => text);
  const saying = found.filter(({ isZero }) => !isZero);
  // Zeros alone were entered all the same.
  const shown = saying.length > 0 ? saying : found;
  const texts = [...new Set(shown.map(({ text }) => text))];
  return texts.slice(0, SHOWN).join(' · ') || 'defaults';
}

export function itemsText(items: readonly Json[]): string {
  if (items.length === 0) return 'none';
  const names = items.map(nameOf).filter((name): name is string => name !== null);
  if (names.length < items.length)
    return items.length === 1 ? '1 entry' : `${items.length} entries`;
  return names.join(', ');
}

function nameOf(item: Json): string | null {
  if (!isObject(item)) return null;
  for (const key of ['name', 'title', 'type', 'kind']) {
    const text = item[key];
    if (typeof text === 'string') return key === 'kind' ? words(text) : text;
  }
  return null;
}

export function itemTitle(item: Json, at: number): string {
  return nameOf(item) ?? `No. ${at + 1}`;
}
