import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { keep, kept } from '../../lib/shelf';

/** State of a page that stays over a reload, and over going away and back: one a history entry. */
export function useKept<T>(name: string, initial: T): [T, Dispatch<SetStateAction<T>>] {
  const entry = useRouterState({ select: ({ location }) => location.state.__TSR_key ?? '' });
  const key = `new-study.${name}.${entry}`;
  const [value, setValue] = useState<T>(() => kept<T>(sessionStorage, key) ?? initial);
  useEffect(() => keep(sessionStorage, key, value), [key, value]);
  return [value, setValue];
}
