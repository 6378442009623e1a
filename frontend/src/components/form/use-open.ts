import { useCallback, useMemo, useState } from 'react';

const KEY = 'ampacity.open-groups';

function restored(): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as string[]);
  } catch {
    return new Set();
  }
}

/** Which groups are unfolded: one set for all columns, so that the same things stand side by side. */
export function useOpenGroups(start: readonly string[]) {
  const [open, setOpenSet] = useState<ReadonlySet<string>>(
    () => new Set([...restored(), ...start]),
  );
  const setOpen = useCallback((path: string, isOpen: boolean) => {
    setOpenSet((now) => {
      const next = new Set(now);
      if (isOpen) next.add(path);
      else next.delete(path);
      sessionStorage.setItem(KEY, JSON.stringify([...next]));
      return next;
    });
  }, []);
  const isOpen = useCallback((path: string) => open.has(path), [open]);
  return useMemo(() => ({ isOpen, setOpen }), [isOpen, setOpen]);
}

/** All groups on the way to a place. */
export function prefixes(pointer: string): string[] {
  const parts = pointer.split('/').slice(1);
  return parts.map((_, count) => `/${parts.slice(0, count + 1).join('/')}`);
}
