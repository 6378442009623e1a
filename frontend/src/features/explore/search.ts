import { isObject, type JsonObject } from '../../lib/pointer';

export { changes, fitsAddress } from '../../lib/changes';

export const VIEWS = [
  'advice',
  'nodes',
  'trends',
  'scaling',
  'board',
  'replay',
  'memory',
  'risk',
] as const;

export type View = (typeof VIEWS)[number];

/** What the address of an exploration says: which view, and what was changed in it. */
export interface ExploreSearch {
  view?: View;
  /** What was changed in the view, as it stands after the defaults. */
  s?: JsonObject;
}

export function exploreSearch(search: Record<string, unknown>): ExploreSearch {
  return {
    view: VIEWS.find((view) => view === search.view),
    s: isObject(search.s) && Object.keys(search.s).length > 0 ? search.s : undefined,
  };
}
