import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { Comparison } from '../../../lib/comparison';
import { PLAN } from '../../../lib/models';
import { studyKey } from '../../../lib/studies';
import type { StudyDocument } from '../../../lib/types';

export interface Evaluation {
  model: string;
  version: string;
  inputs_hash: string;
  result: Comparison;
}

export const evaluate = (params: StudyDocument) =>
  body<Evaluation>(api.POST('/api/v1/evaluate', { body: { model: PLAN, params } }));

/** The answer for a study as it is saved; its card keeps the verdict. */
const evaluateSaved = (study: string, params: StudyDocument) =>
  body<Evaluation>(api.POST('/api/v1/evaluate', { body: { model: PLAN, params, study } }));

/** The answer for the study as it is saved, with its odds. */
export const savedQueryOptions = (studyId: string, document: StudyDocument | undefined) =>
  queryOptions({
    queryKey: [...studyKey(studyId), 'evaluate', document],
    queryFn: () => evaluateSaved(studyId, document as StudyDocument),
    enabled: document !== undefined && document.designs.length > 0,
    // While a saved change is evaluated, the answer before it stays on screen.
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
