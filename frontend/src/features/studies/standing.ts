import { isEnded } from '../../lib/job-events';
import type { Run, StudyCard } from '../../lib/types';

/** Where a study stands; one study may stand in several of them. */
export type Standing =
  'answered' | 'close' | 'unmet' | 'incomplete' | 'open' | 'stale' | 'running' | 'unapproved';

export const STANDINGS: readonly { key: Standing; label: string; hint: string }[] = [
  { key: 'answered', label: 'With a verdict', hint: 'One design is cheapest or costs the same.' },
  { key: 'close', label: 'Too close to call', hint: 'The simulations do not tell designs apart.' },
  { key: 'unmet', label: 'Demand not met', hint: 'No design meets demand.' },
  { key: 'incomplete', label: 'Inputs to complete', hint: 'A design or an input is missing.' },
  { key: 'open', label: 'No verdict yet', hint: 'Complete, but not compared since its change.' },
  {
    key: 'stale',
    label: 'Stale',
    hint: 'The latest kept run is of an earlier version of the model.',
  },
  { key: 'running', label: 'Running', hint: 'A run is queued or at work.' },
  {
    key: 'unapproved',
    label: 'Waiting for approval',
    hint: 'Own studies whose present state no owner has approved.',
  },
];

export interface Known {
  cards: readonly StudyCard[];
  /** Runs of studies, newest first. */
  runs: readonly Run[];
  approved: readonly Run[];
  /** The version of the plan now; undefined while it is not known. */
  version: string | undefined;
}

function answerOf(card: StudyCard): Standing {
  if (card.faults_count > 0 || card.designs.length === 0) return 'incomplete';
  if (!card.verdict) return 'open';
  if (card.verdict.kind === 'none') return 'unmet';
  return card.verdict.kind === 'open' ? 'close' : 'answered';
}

/** The newest of each study's runs that succeeded. */
function latest(runs: readonly Run[]): Map<string, Run> {
  const found = new Map<string, Run>();
  for (const run of runs) {
    if (run.state === 'succeeded' && run.study && !found.has(run.study)) found.set(run.study, run);
  }
  return found;
}

/** The studies that stand in each place, in their order. */
export function standings({ cards, runs, approved, version }: Known) {
  const newest = latest(runs);
  const working = new Set(runs.filter(({ state }) => !isEnded(state)).map(({ study }) => study));
  const states = new Set(approved.map(({ inputs_hash: hash }) => hash));
  const once = new Set(approved.map(({ study }) => study));
  const isApproved = ({ id }: StudyCard) => {
    const run = newest.get(id);
    return run ? states.has(run.inputs_hash) : once.has(id);
  };
  const isStale = ({ id }: StudyCard) => {
    const run = newest.get(id);
    return run !== undefined && version !== undefined && run.model_version !== version;
  };
  const found: Record<Standing, StudyCard[]> = {
    answered: [],
    close: [],
    unmet: [],
    incomplete: [],
    open: [],
    stale: cards.filter(isStale),
    running: cards.filter(({ id }) => working.has(id)),
    unapproved: cards.filter(
      (card) => !card.is_example && answerOf(card) !== 'incomplete' && !isApproved(card),
    ),
  };
  for (const card of cards) found[answerOf(card)].push(card);
  return found;
}
