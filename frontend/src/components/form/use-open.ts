import { useCallback, useMemo, useState } from 'react';
import { keep, kept } from '../../lib/shelf';

const KEY = 'ampacity.open-groups';
const restored = (key: string) => kept<string[]>(sessionStorage, key);

/** Which groups are unfolded: one set for all columns, so that the same things stand side by side. */
export function useOpenGroups(start: readonly string[]) {
  return useOpen(KEY, () => [...(restored(KEY) ?? []), ...start]);
}

/** Which groups of one form are unfolded: as they were left, at first those of the start. */
export function useOpenOf(key: string, start: () => readonly string[]) {
  return useOpen(key, () => restored(key) ?? start());
}

function useOpen(key: string, start: () => readonly string[]) {
  const [open, setOpenSet] = useState<ReadonlySet<string>>(() => new Set(start()));
  const setOpen = useCallback(
    (path: string, isOpen: boolean) => {
      setOpenSet((now) => {
        const next = new Set(now);
        if (isOpen) next.add(path);
        else next.delete(path);
        keep(sessionStorage, key, [...next]);
        return next;
      });
    },
    [key],
  );
  const isOpen = useCallback((path: string) => open.has(path), [open]);
  return useMemo(() => ({ isOpen, setOpen }), [isOpen, setOpen]);
}

/** All groups on the way to a place. */
export function prefixes(pointer: string): string[] {
  const parts = pointer.split('/').slice(1);
  return parts.map((_, count) => `/${parts.slice(0, count + 1).join('/')}`);
}
