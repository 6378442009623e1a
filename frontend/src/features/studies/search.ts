/** What a new study is begun with: the work of a trace, found by a run, or the stream of a log. */
export interface NewStudySearch {
  trace?: string;
  work?: string;
}

export function newStudySearch(search: Record<string, unknown>): NewStudySearch {
  const { trace, work } = search;
  if (typeof trace !== 'string') return {};
  return typeof work === 'string' ? { trace, work } : { trace };
}
