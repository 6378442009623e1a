import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { components } from '../api-types/schema';
import { api, body } from './api';
import { studyKey } from './studies';
import type { StudyDocument } from './types';

const searchedKey = (studyId: string) => [...studyKey(studyId), 'searched'] as const;

/** How far a study's designs are from the best that the last search found, as it is saved. */
export const searchedQueryOptions = (studyId: string, document: StudyDocument) =>
  queryOptions({
    queryKey: [...searchedKey(studyId), document],
    queryFn: () =>
      body<components['schemas']['SearchedOutput']>(
        api.GET('/api/v1/studies/{study_id}/explore', { params: { path: { study_id: studyId } } }),
      ),
  });

/** Searches the catalogue for the work of a study, and has what it says of its designs read anew. */
export async function search(
  client: QueryClient,
  studyId: string,
  measures: components['schemas']['ExploreInputRequest']['measures'],
  limits?: components['schemas']['LimitsRequest'],
) {
  const found = await body<components['schemas']['ExploreOutput']>(
    api.POST('/api/v1/studies/{study_id}/explore', {
      params: { path: { study_id: studyId } },
      body: { measures, region: '', ...(limits && { limits }) },
    }),
  );
  await client.invalidateQueries({ queryKey: searchedKey(studyId) });
  return found;
}
