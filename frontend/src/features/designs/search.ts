export const PARTS = ['designs', 'workload', 'assumptions', 'baseline'] as const;

export type Part = (typeof PARTS)[number];

/** What the address of the forms says: which part is open, and which input is pointed at. */
export interface DesignsSearch {
  part?: Part;
  at?: string;
}

export function partOf(pointer: string): Part {
  const head = pointer.split('/')[1];
  return PARTS.find((part) => part === head) ?? 'designs';
}

export function designsSearch(search: Record<string, unknown>): DesignsSearch {
  const at = typeof search.at === 'string' && search.at.startsWith('/') ? search.at : undefined;
  const named = PARTS.find((part) => part === search.part);
  return { part: named ?? (at ? partOf(at) : undefined), at };
}

/** A pointer of the study, relative to the document that it is in. */
export function relative(pointer: string): string {
  const [, head, ...rest] = pointer.split('/');
  const own = head === 'designs' ? rest.slice(1) : rest;
  return own.map((part) => `/${part}`).join('');
}
