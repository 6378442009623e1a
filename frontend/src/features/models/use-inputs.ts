import { useCallback, useEffect, useMemo, useState } from 'react';
import { changes, fitsAddress } from '../../lib/changes';
import type { JsonObject } from '../../lib/pointer';
import { keep, kept } from '../../lib/shelf';
import type { ModelSearch } from './address';

// The address follows once typing rests.
const ADDRESS_MS = 250;

export interface Inputs {
  params: JsonObject;
  setParams: (params: JsonObject) => void;
  /** Whether the address holds all that was changed. */
  shareable: boolean;
  changed: boolean;
}

/**
 * The inputs of a model. What differs from the start is kept for a reload and, while it is
 * short, in the address.
 */
export function useInputs(
  model: string,
  start: JsonObject,
  search: ModelSearch,
  onSearch: (search: ModelSearch) => void,
): Inputs {
  const key = `ampacity.model.${model}`;
  const [changed, setChanged] = useState(
    () => search.s ?? kept<JsonObject>(sessionStorage, key) ?? undefined,
  );
  const params = useMemo(() => ({ ...start, ...changed }), [start, changed]);
  const setParams = useCallback((next: JsonObject) => setChanged(changes(next, start)), [start]);
  const rested = useRested(changed, ADDRESS_MS);
  useEffect(() => {
    keep(sessionStorage, key, rested);
    onSearch({ s: fitsAddress(rested) ? rested : undefined });
  }, [key, rested, onSearch]);
  return { params, setParams, shareable: fitsAddress(changed), changed: changed !== undefined };
}

/** A value once it has rested for a moment. */
export function useRested<T>(value: T, waitMs: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const handle = setTimeout(() => setRested(value), waitMs);
    return () => clearTimeout(handle);
  }, [value, waitMs]);
  return rested;
}
