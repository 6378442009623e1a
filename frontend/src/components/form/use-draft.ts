import { useMemo, useState } from 'react';
import { useOpenOf } from './use-open';
import type { Json, JsonObject } from '../../lib/pointer';
import type { Fault } from '../../lib/problem';
import type { JsonSchema } from '../../lib/schema';
import { completed, schemaFaults } from '../../lib/schema-faults';

interface DraftProps<T> {
  /** Of what is typed, and of the model that it is for. */
  schema: JsonSchema;
  root: JsonSchema;
  value: T;
  /** What the server finds wrong with it. */
  faults: readonly Fault[];
  /** What goes with a change, before it is judged. */
  fit?: (before: T, next: T) => T;
  onChange: (value: T) => void;
}

export const NONE: readonly never[] = [];

/** A document as it is typed; it is put to the page whenever nothing is wrong with it. */
export function useDraft<T extends object>(props: DraftProps<T>) {
  const { schema, root, value: put, faults, fit, onChange } = props;
  const [draft, setDraft] = useState<{ of: T; value: JsonObject } | null>(null);
  const typed = draft?.of === put ? draft.value : (put as unknown as JsonObject);
  const own = schemaFaults(schema, root, typed);
  const change = (next: JsonObject) => {
    const whole = completed(schema, root, next) as unknown as T;
    const fitting = fit ? fit(put, whole) : whole;
    const isWrong = schemaFaults(schema, root, fitting as unknown as Json).length > 0;
    setDraft(isWrong ? { of: put, value: next } : null);
    if (!isWrong) onChange(fitting);
  };
  return {
    isDraft: own.length > 0,
    /** What a form of any part of it is given. */
    form: {
      root,
      value: typed,
      faults: own.length > 0 ? own : faults,
      ranges: NONE,
      isWhole: true,
      onChange: change,
    },
  };
}

/** Which groups of a form on this page are unfolded. */
export function useFrame(name: string, open: readonly string[]) {
  const groups = useOpenOf(`ampacity.${name}.open`, () => open);
  return useMemo(() => ({ filter: '', ...groups }), [groups]);
}
