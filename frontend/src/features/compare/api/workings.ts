import { queryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { Science } from '../../../lib/science';
import { studyKey } from '../../../lib/studies';
import type { StudyDocument } from '../../../lib/types';
import { mayPass } from '../../../lib/query-client';

export type Working = Science['plans.workings.Working'] | Science['plans.workings.RowWorking'];
export type WorkingTerm = Science['plans.workings.Term'];
export type FormulaTokens = WorkingTerm['formulas'][number];

/** A cause of a design that can be opened, or, without a side, a row of the comparison. */
export interface Opened {
  letter: string;
  cause: string;
  side?: string;
}

/** The lines of one cause, or row, of one design: when it is paid, by which formula, from which inputs. */
export const workingQueryOptions = (studyId: string, document: StudyDocument, opened: Opened) =>
  queryOptions({
    queryKey: [...studyKey(studyId), 'workings', document, opened],
    queryFn: async () => {
      const { letter, cause, side } = opened;
      const params = { ...document, letter, cause };
      const answer = await body<{ result: Science['plans.workings.Result'] }>(
        api.POST('/api/v1/evaluate', { body: { model: 'plans.workings', params } }),
      );
      const { causes, rows } = answer.result;
      return (side ? causes.find((found) => found.side === side) : rows[0]) ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: mayPass,
  });
