import type { Run } from '../../lib/types';

type First = NonNullable<Run['burst']>['first'];

export interface Points {
  before: Run | First;
  after: Run;
}

export interface Chosen {
  before?: string;
  after?: string;
}

export interface Row {
  run: Run;
  /** One of the earlier runs of a burst that was opened. */
  isInner: boolean;
}

/** The list with the earlier runs of the bursts that were opened below their last one. */
export function rowsOf(runs: readonly Run[], opened: ReadonlyMap<string, readonly Run[]>): Row[] {
  return runs.flatMap((run) => [
    { run, isInner: false },
    ...(opened.get(run.id) ?? [])
      .filter((inner) => inner.id !== run.id)
      .map((inner) => ({ run: inner, isInner: true })),
  ]);
}

/** The two runs to tell apart; a burst alone is told from its first run to its last. */
export function pointsOf(
  runs: readonly Run[],
  rows: readonly Row[],
  chosen: Chosen,
): Points | null {
  const find = (id: string | undefined) => rows.find(({ run }) => run.id === id)?.run;
  const after = find(chosen.after) ?? runs[0];
  const asked = find(chosen.before) ?? runs.find((run) => run.id !== after?.id) ?? after;
  const before = asked?.id === after?.id ? after?.burst?.first : asked;
  return before && after ? { before, after } : null;
}
