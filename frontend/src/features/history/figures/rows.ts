import type { Run } from '../../../lib/types';

type First = NonNullable<Run['burst']>['first'];
/** What charts and rows need of a run; a folded list tells it of the first of a burst too. */
export type Point = Pick<Run, keyof First>;

export interface Points {
  before: Point;
  after: Point;
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

/** Each state of the study once: what was asked again in between says nothing new. */
export function states(runs: readonly Run[]): Run[] {
  return runs.filter((run, at) => {
    const older = runs[at + 1];
    return (
      run.burst !== null ||
      older?.inputs_hash !== run.inputs_hash ||
      older.model_version !== run.model_version
    );
  });
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

/** Newest first: of each burst its last run and its first. */
export function endsOf(runs: readonly Run[]): Point[] {
  return runs.flatMap((run) => (run.burst ? [run, run.burst.first] : [run]));
}

/** The two runs to tell apart; a burst alone is told from its first run to its last. */
export function pointsOf(runs: readonly Run[], rows: readonly Row[], chosen: Chosen) {
  const find = (id: string | undefined): Run | undefined =>
    rows.find((row) => row.run.id === id)?.run;
  const after = find(chosen.after) ?? runs[0];
  const asked = find(chosen.before) ?? runs.find((run) => run.id !== after?.id) ?? after;
  const before: Point | undefined = asked?.id === after?.id ? after?.burst?.first : asked;
  return before && after ? { before, after } : null;
}
