import type { ArrayDesign, Entry } from './types';

/** An entry with its array changed. Another drive is another swap: what it replaces is asked anew. */
export function rebuilt({ array: before }: Entry, array: ArrayDesign): Partial<Entry> {
  const isOther = before.drive.name !== array.drive.name || before.drive.kind !== array.drive.kind;
  return isOther ? { array, replaces: null } : { array };
}
