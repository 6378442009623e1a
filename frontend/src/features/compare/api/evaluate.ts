import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import {
  figuresOf,
  wholeOf,
  withDrawn,
  type Comparison,
  type Drawn,
} from '../../../lib/comparison';
import { PLAN } from '../../../lib/models';
import { studyKey } from '../../../lib/studies';
import type { StudyDocument } from '../../../lib/types';
import type { Changes } from '../moved';
import type { Moves } from '../search';
import { mayPass } from '../../../lib/query-client';

/** What becomes of the ranges of what is moved: gone, moved along, or left as they are. */
export type Ranges = 'drop' | 'move' | 'keep';

interface Asked {
  /** Whose card keeps the verdict, where the document is what is saved. */
  study?: string;
  moves?: Moves;
  ranges?: Ranges;
}

/** An answer of the plan; `moved` is what moved inputs change in the study, by pointer. */
export type Answer = Comparison & { moved?: Changes };

/** The answer for a study, some of its inputs moved, with what charts draw of two designs. */
export async function evaluate(
  params: StudyDocument,
  figures: string,
  more: Asked = {},
): Promise<Answer> {
  const { moved, ...answer } = await body<{
    result: Comparison;
    drawn?: Drawn;
    moved?: Changes;
  }>(
    api.POST('/api/v1/evaluate', {
      params: { query: wholeOf(figures) },
      body: { model: PLAN, params, ...more },
    }),
  );
  return { ...withDrawn(answer), moved };
}

/** What moved inputs change in a study, with their ranges as one chose. */
export async function changesOf(
  document: StudyDocument,
  moves: Moves,
  ranges: Ranges,
): Promise<Changes> {
  // Nothing is simulated for it; correlations need the ranges that they are of.
  const answer = await evaluate({ ...document, draws_count: 0 }, figuresOf(), { moves, ranges });
  return answer.moved ?? {};
}

/** The answer for the study as it is saved, with its odds. */
export const savedQueryOptions = (
  studyId: string,
  document: StudyDocument | undefined,
  figures = figuresOf(),
) =>
  queryOptions({
    queryKey: [...studyKey(studyId), 'evaluate', document, figures],
    queryFn: () => evaluate(document as StudyDocument, figures, { study: studyId }),
    enabled: document !== undefined && document.designs.length > 0,
    // While a saved change is evaluated, the answer before it stays on screen.
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: mayPass,
  });
