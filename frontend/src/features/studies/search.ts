/** What a new study is begun with: the work of a trace, found by a run. */
export interface NewStudySearch {
  trace?: string;
  work?: string;
}

export function newStudySearch(search: Record<string, unknown>): NewStudySearch {
  const { trace, work } = search;
  return typeof trace === 'string' && typeof work === 'string' ? { trace, work } : {};
}
