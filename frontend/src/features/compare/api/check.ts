import { queryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { Json } from '../../../lib/pointer';
import { studyKey } from '../../../lib/studies';
import type { StudyDocument } from '../../../lib/types';
import { mayPass } from '../../../lib/query-client';

export const CHECK = 'plans.like_for_like';

/** One place where designs are not alike, as plans.like_for_like says it. */
export interface Finding {
  key: string;
  /** All that it takes to accept it: what one remedy serves is one finding. */
  keys: string[];
  rule: string;
  title: string;
  sentence: string;
  pointer: string;
  not_counted: boolean;
  fix: { pointer: string; value: Json }[];
  money: string;
  winner_after: string | null;
  then: string | null;
  accepted: string | null;
}

export interface LikeForLike {
  sentence: string;
  open_count: number;
  findings: Finding[];
  /** What each owned design costs leased beside bought, apart from whether to own it. */
  lease_or_buy: { letter: string; sentence: string }[];
}

/** The like-for-like check of the study as it is saved. */
export const checkQueryOptions = (studyId: string, document: StudyDocument) =>
  queryOptions({
    queryKey: [...studyKey(studyId), 'check', document],
    queryFn: () =>
      body<{ model: string; result: LikeForLike }>(
        api.POST('/api/v1/evaluate', { body: { model: CHECK, params: document } }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    retry: mayPass,
  });
