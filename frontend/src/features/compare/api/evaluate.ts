import { queryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { Comparison } from '../../../lib/comparison';
import { PLAN } from '../../../lib/models';
import { write } from '../../../lib/pointer';
import { studyKey } from '../../../lib/studies';
import type { StudyDocument } from '../../../lib/types';
import type { Moves } from '../search';

export interface Evaluation {
  model: string;
  version: string;
  inputs_hash: string;
  result: Comparison;
}

export const DRAWS_COUNT = 10_000;

/** The document with some inputs moved, asking for so many draws. */
export function moved(document: StudyDocument, moves: Moves, draws_count: number): StudyDocument {
  const changed = Object.entries(moves).reduce(
    (here, [pointer, value]) => write(here, pointer, value) as StudyDocument,
    document,
  );
  return { ...changed, draws_count };
}

export const evaluate = (params: StudyDocument) =>
  body<Evaluation>(api.POST('/api/v1/evaluate', { body: { model: PLAN, params } }));

/** The answer for the study as it is saved, with its odds. */
export const savedQueryOptions = (studyId: string, document: StudyDocument | undefined) =>
  queryOptions({
    queryKey: [...studyKey(studyId), 'evaluate', document],
    queryFn: () => evaluate(moved(document as StudyDocument, {}, DRAWS_COUNT)),
    enabled: document !== undefined && document.designs.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
