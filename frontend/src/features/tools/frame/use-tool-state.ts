import { useCallback, useMemo, useRef, useState } from 'react';
import { isObject, type JsonObject } from '../../../lib/pointer';
import { keep, kept } from '../../../lib/shelf';
import { changes, fitsAddress, type Tool, type ToolSearch } from '../search';

export interface ToolProps {
  tool: Tool;
  search: ToolSearch;
  onSearch: (change: Partial<ToolSearch>) => void;
  /** Which of its questions is asked, where a tool has several. */
  part?: string;
}

/** One question of a tool that has several: each keeps inputs of its own. */
export function toolPart(props: ToolProps, part: string): ToolProps {
  const { search, onSearch } = props;
  const held = search.s?.part === part ? search.s[part] : undefined;
  return {
    ...props,
    part,
    search: { ...search, s: isObject(held) ? held : undefined },
    onSearch: (change) =>
      onSearch('s' in change ? { ...change, s: stateOf(change.s, part) } : change),
  };
}

/** What an address says of a tool's inputs: those of its question, if it has several. */
export function stateOf(s: JsonObject | undefined, part: string | undefined) {
  if (part === undefined) return s;
  return s === undefined ? { part } : { part, [part]: s };
}

/**
 * The inputs of a tool. What differs from the defaults is kept in this browser and, while it
 * is short, in the address. Where the defaults are those of a study it is kept for that alone.
 */
export function useToolState<T extends object>(
  initial: T,
  { tool, search, onSearch, part }: ToolProps,
  study?: string,
): readonly [T, (change: Partial<T>) => void, () => void] {
  const key = ['ampacity.tools', tool, part, study].filter(Boolean).join('.');
  const [own, setOwn] = useState<JsonObject>(() => kept(localStorage, key) ?? {});
  const base = useRef(initial);
  const stated = search.s;
  const state = useMemo(() => ({ ...initial, ...(stated ?? own) }) as T, [initial, stated, own]);
  const put = useCallback(
    (next: JsonObject | undefined) => {
      setOwn(next ?? {});
      keep(localStorage, key, next);
      onSearch({ s: fitsAddress(next) ? next : undefined });
    },
    [key, onSearch],
  );
  const set = useCallback(
    (change: Partial<T>) =>
      put(changes({ ...state, ...change } as JsonObject, base.current as JsonObject)),
    [put, state],
  );
  const reset = useCallback(() => put(undefined), [put]);
  return [state, set, reset];
}
