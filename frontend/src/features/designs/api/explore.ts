import { queryOptions } from '@tanstack/react-query';
import type { components } from '../../../api-types/schema';
import { mayPass } from '../../../lib/query-client';
import { search } from '../../../lib/searched';
import { studyKey } from '../../../lib/studies';
import type { StudyDocument } from '../../../lib/types';

export type Explored = components['schemas']['ExploreOutput'];
export type ExploredDesign = components['schemas']['ExploredDesign'];
export type Measure = 'cost_usd' | 'energy_kwh' | 'kgco2e' | 'racks_count';

/** The designs of the catalogue for the work of a study as it is saved. */
export const exploreQueryOptions = (
  studyId: string,
  document: StudyDocument,
  against: Measure,
  limits: components['schemas']['LimitsRequest'],
) =>
  queryOptions({
    queryKey: [...studyKey(studyId), 'explore', against, limits, document],
    queryFn: ({ client }) => search(client, studyId, ['cost_usd', against], limits),
    staleTime: Number.POSITIVE_INFINITY,
    retry: mayPass,
  });
