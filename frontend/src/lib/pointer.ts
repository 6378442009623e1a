export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parts(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function join(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Lists of designs are addressed by letter; any other list by index. */
function indexIn(list: readonly Json[], key: string): number {
  if (/^\d+$/.test(key)) return Number(key);
  return list.findIndex((item) => isObject(item) && item.letter === key);
}

export function read(document: Json | undefined, pointer: string): Json | undefined {
  let here: Json | undefined = document;
  for (const key of parts(pointer)) {
    if (Array.isArray(here)) here = here[indexIn(here, key)];
    else if (isObject(here)) here = here[key];
    else return undefined;
  }
  return here;
}

/**
 * A copy of the document with one place changed; what is not on the way is shared. Writing
 * undefined takes the place away.
 */
export function write(document: Json, pointer: string, value: Json | undefined): Json {
  const [key, ...rest] = parts(pointer);
  if (key === undefined) return value ?? null;
  const below = rest.map((part) => join('', part)).join('');
  if (Array.isArray(document)) {
    const index = indexIn(document, key);
    if (below === '' && value === undefined) return document.filter((_, at) => at !== index);
    if (index === document.length && value !== undefined) return [...document, value];
    return index < 0
      ? document
      : document.map((item, at) => (at === index ? write(item, below, value) : item));
  }
  const object = isObject(document) ? document : {};
  if (below === '' && value === undefined) {
    const { [key]: _taken, ...rest } = object;
    return rest;
  }
  return { ...object, [key]: write(object[key] ?? null, below, value) };
}

export interface Change {
  pointer: string;
  before: Json | undefined;
  after: Json | undefined;
}

/** Every place at which two documents differ, deepest first seen. */
export function differences(
  before: Json | undefined,
  after: Json | undefined,
  pointer = '',
): Change[] {
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => differences(before[key], after[key], join(pointer, key)));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((item, at) => differences(item, after[at], join(pointer, at)));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ pointer, before, after }];
}
