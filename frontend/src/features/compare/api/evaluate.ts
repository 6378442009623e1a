import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import { figuresOf, withDrawn, type Comparison, type Drawn } from '../../../lib/comparison';
import { PLAN } from '../../../lib/models';
import { studyKey } from '../../../lib/studies';
import type { StudyDocument } from '../../../lib/types';

/** The answer for a study, with what charts draw of two designs; its card keeps a saved one's verdict. */
export async function evaluate(
  params: StudyDocument,
  figures: string,
  study?: string,
): Promise<Comparison> {
  const asked = { model: PLAN, params, figures, study };
  return withDrawn(
    await body<{ result: Comparison; drawn?: Drawn }>(
      api.POST('/api/v1/evaluate', { body: asked }),
    ),
  );
}

/** The answer for the study as it is saved, with its odds. */
export const savedQueryOptions = (
  studyId: string,
  document: StudyDocument | undefined,
  figures = figuresOf(),
) =>
  queryOptions({
    queryKey: [...studyKey(studyId), 'evaluate', document, figures],
    queryFn: () => evaluate(document as StudyDocument, figures, studyId),
    enabled: document !== undefined && document.designs.length > 0,
    // While a saved change is evaluated, the answer before it stays on screen.
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
