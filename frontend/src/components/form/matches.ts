import { resolve, variants, words, type JsonSchema } from '../../lib/schema';

const DEPTH = 6;

/** Whether any title below a schema holds the text. */
export function matchesFilter(
  schema: JsonSchema,
  root: JsonSchema,
  text: string,
  depth = 0,
): boolean {
  if (depth > DEPTH) return false;
  const here = resolve(schema, root).schema;
  if (here.oneOf) {
    return variants(here, root).some((variant) =>
      matchesFilter(variant.schema, root, text, depth + 1),
    );
  }
  if (here.items) return matchesFilter(here.items, root, text, depth + 1);
  return Object.entries(here.properties ?? {}).some(([name, property]) => {
    const title = resolve(property, root).schema.title ?? words(name);
    return title.toLowerCase().includes(text) || matchesFilter(property, root, text, depth + 1);
  });
}
