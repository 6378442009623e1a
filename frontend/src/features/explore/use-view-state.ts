import { useCallback, useMemo, useRef, useState } from 'react';
import { isObject, type JsonObject } from '../../lib/pointer';
import { changes, fitsAddress, type ExploreSearch, type View } from './search';

export interface ViewProps {
  studyId: string;
  search: ExploreSearch;
  onSearch: (change: Partial<ExploreSearch>) => void;
}

function kept(key: string): JsonObject {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/**
 * The inputs of one view. What differs from the defaults is kept in this browser and, while it
 * is short, in the address.
 */
export function useViewState<T extends object>(
  view: View,
  initial: T,
  { studyId, search, onSearch }: ViewProps,
): readonly [T, (change: Partial<T>) => void, () => void] {
  const key = `ampacity.explore.${studyId}.${view}`;
  const [own, setOwn] = useState<JsonObject>(() => kept(key));
  const base = useRef(initial);
  const stated = search.s;
  const state = useMemo(() => ({ ...initial, ...(stated ?? own) }) as T, [initial, stated, own]);
  const keep = useCallback(
    (next: JsonObject | undefined) => {
      setOwn(next ?? {});
      try {
        if (next) localStorage.setItem(key, JSON.stringify(next));
        else localStorage.removeItem(key);
      } catch {
        // A full shelf loses nothing that is on screen.
      }
      onSearch({ s: fitsAddress(next) ? next : undefined });
    },
    [key, onSearch],
  );
  const set = useCallback(
    (change: Partial<T>) =>
      keep(changes({ ...state, ...change } as JsonObject, base.current as JsonObject)),
    [keep, state],
  );
  const reset = useCallback(() => keep(undefined), [keep]);
  return [state, set, reset];
}
