import { useState } from 'react';

/** What is known, or what was known last: while what is entered has a fault, that stays drawn. */
export function useLast<T>(known: T | undefined): T | undefined {
  const [last, setLast] = useState(known);
  if (known !== undefined && known !== last) setLast(known);
  return known ?? last;
}
