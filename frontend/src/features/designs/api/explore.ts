import { queryOptions } from '@tanstack/react-query';
import type { components } from '../../../api-types/schema';
import { api, body } from '../../../lib/api';
import { mayPass } from '../../../lib/query-client';
import { studyKey } from '../../../lib/studies';
import type { StudyDocument } from '../../../lib/types';

export type Explored = components['schemas']['ExploreOutput'];
export type ExploredDesign = components['schemas']['ExploredDesign'];
export type Measure = 'cost_usd' | 'energy_kwh' | 'kgco2e' | 'racks_count';

/** The designs of the catalogue for the work of a study as it is saved. */
export const exploreQueryOptions = (studyId: string, document: StudyDocument, against: Measure) =>
  queryOptions({
    queryKey: [...studyKey(studyId), 'explore', against, document],
    queryFn: () =>
      body<Explored>(
        api.POST('/api/v1/studies/{study_id}/explore', {
          params: { path: { study_id: studyId } },
          body: { measures: ['cost_usd', against], region: '' },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    retry: mayPass,
  });
