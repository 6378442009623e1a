import { useCallback, useMemo, useRef, useState } from 'react';
import { isObject, type JsonObject } from '../../../lib/pointer';
import { changes, fitsAddress, type Tool, type ToolSearch } from '../search';

export interface ToolProps {
  tool: Tool;
  search: ToolSearch;
  onSearch: (change: Partial<ToolSearch>) => void;
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
 * The inputs of a tool. What differs from the defaults is kept in this browser and, while it
 * is short, in the address.
 */
export function useToolState<T extends object>(
  initial: T,
  { tool, search, onSearch }: ToolProps,
): readonly [T, (change: Partial<T>) => void, () => void] {
  const key = `ampacity.tools.${tool}`;
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
