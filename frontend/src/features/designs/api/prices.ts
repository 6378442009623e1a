import { queryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import { studyKey } from '../../../lib/studies';
import type { StudyPrices } from '../../../lib/types';
import { flushDrafts } from '../use-draft';

/** What the catalogue's present values would change in a study, once all that is typed is saved. */
export const newerPricesQueryOptions = (study_id: string) =>
  queryOptions({
    queryKey: [...studyKey(study_id), 'prices'],
    queryFn: async () => {
      await flushDrafts();
      return body<StudyPrices>(
        api.GET('/api/v1/studies/{study_id}/prices', { params: { path: { study_id } } }),
      );
    },
    staleTime: 0,
  });
