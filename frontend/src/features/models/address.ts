import { isObject, type JsonObject } from '../../lib/pointer';

/** What the address of a model's page says: the inputs that differ from those it starts with. */
export interface ModelSearch {
  s?: JsonObject;
}

export function modelSearch(search: Record<string, unknown>): ModelSearch {
  return { s: isObject(search.s) && Object.keys(search.s).length > 0 ? search.s : undefined };
}
