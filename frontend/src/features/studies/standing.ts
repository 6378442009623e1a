import { percent } from '../../lib/format';
import { isEnded } from '../../lib/job-events';
import type { Run, StudiesStanding, StudyCard } from '../../lib/types';

/** Where a study stands; one study may stand in several of them. */
export type Standing =
  | 'answered'
  | 'close'
  | 'unmet'
  | 'incomplete'
  | 'open'
  | 'moved'
  | 'stale'
  | 'running'
  | 'unapproved';

export const STANDINGS: readonly { key: Standing; label: string; hint: string }[] = [
  { key: 'answered', label: 'With a verdict', hint: 'One design is cheapest or costs the same.' },
  { key: 'close', label: 'Too close to call', hint: 'The simulations do not tell designs apart.' },
  { key: 'unmet', label: 'Demand not met', hint: 'No design meets demand.' },
  { key: 'incomplete', label: 'Inputs to complete', hint: 'A design or an input is missing.' },
  { key: 'open', label: 'No verdict yet', hint: 'Complete, but not compared since its change.' },
  {
    key: 'moved',
    label: 'Moved this week',
    hint: 'The latest run has another cheapest design or cost than the one before it.',
  },
  {
    key: 'stale',
    label: 'Stale',
    hint: 'Newer prices would change it, or its latest run is of an earlier version of the model.',
  },
  { key: 'running', label: 'Running', hint: 'A run is queued or at work.' },
  {
    key: 'unapproved',
    label: 'Waiting for approval',
    hint: 'Somebody asked the owners to approve it, and none has since.',
  },
];

export interface Known {
  cards: readonly StudyCard[];
  /** Runs of studies, newest first. */
  runs: readonly Run[];
  /** What the server says of all studies. */
  told: StudiesStanding;
  /** The version of the plan now; undefined while it is not known. */
  version: string | undefined;
  now: Date;
}

function answerOf(card: StudyCard): Standing {
  if (card.faults_count > 0 || card.designs.length === 0) return 'incomplete';
  if (!card.verdict) return 'open';
  if (card.verdict.kind === 'none') return 'unmet';
  return card.verdict.kind === 'open' ? 'close' : 'answered';
}

/** Each study's runs that succeeded, newest first. */
function succeeded(runs: readonly Run[]): Map<string, [Run, ...Run[]]> {
  const found = new Map<string, [Run, ...Run[]]>();
  for (const run of runs) {
    if (run.state !== 'succeeded' || !run.study) continue;
    const known = found.get(run.study);
    if (known) known.push(run);
    else found.set(run.study, [run]);
  }
  return found;
}

/** What the cheapest design cost in the runs of each study, oldest first, where it ever moved. */
export function costsOf(runs: readonly Run[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [study, own] of succeeded(runs)) {
    const costs = own.flatMap(({ cost_usd: cost }) => cost ?? []).reverse();
    if (new Set(costs).size > 1) found.set(study, costs);
  }
  return found;
}

const WEEK_MS = 7 * 24 * 3600 * 1000;

/** What the latest runs of the last seven days moved, in words, by study. */
export function movesOf(runs: readonly Run[], now: Date): Map<string, string> {
  const found = new Map<string, string>();
  for (const [study, [after, before]] of succeeded(runs)) {
    const age = now.getTime() - new Date(after.submitted_at).getTime();
    const told = before && age <= WEEK_MS ? moveText(before, after) : '';
    if (told) found.set(study, told);
  }
  return found;
}

function moveText(before: Run, after: Run): string {
  const told: string[] = [];
  if (before.winner !== after.winner) {
    told.push(`cheapest: ${before.winner || 'none'} → ${after.winner || 'none'}`);
  }
  const [was, is] = [before.cost_usd, after.cost_usd];
  if (was != null && is != null && was !== 0 && was !== is) {
    const share = (is - was) / Math.abs(was);
    told.push(`cost ${share > 0 ? '+' : ''}${percent(share)}`);
  }
  return told.join(', ');
}

/** The studies that stand in each place, in their order. */
export function standings({ cards, runs, told, version, now }: Known) {
  const newest = succeeded(runs);
  const moved = movesOf(runs, now);
  const working = new Set(runs.filter(({ state }) => !isEnded(state)).map(({ study }) => study));
  const byPrices = new Set(told.stale);
  const asked = new Set(told.asked);
  const isStale = ({ id }: StudyCard) => {
    const run = newest.get(id)?.[0];
    if (byPrices.has(id)) return true;
    return run !== undefined && version !== undefined && run.model_version !== version;
  };
  const found: Record<Standing, StudyCard[]> = {
    answered: [],
    close: [],
    unmet: [],
    incomplete: [],
    open: [],
    moved: cards.filter(({ id }) => moved.has(id)),
    stale: cards.filter(isStale),
    running: cards.filter(({ id }) => working.has(id)),
    unapproved: cards.filter(({ id }) => asked.has(id)),
  };
  for (const card of cards) found[answerOf(card)].push(card);
  return found;
}
