import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { components } from '../api-types/schema';
import { api, body } from './api';
import { noteRun, runEnded, startRun } from './runs';
import { studyKey } from './studies';
import type { JsonObject } from './pointer';

type Schemas = components['schemas'];

/** A run of a tool that a study refers to. */
export type ToolRun = Schemas['ToolRunOutput'];
type Listed = Schemas['ToolRunListOutput'];

export const toolRunsQueryOptions = (studyId: string) =>
  queryOptions({
    queryKey: [...studyKey(studyId), 'tool runs'],
    queryFn: async () =>
      (
        await body<Listed>(
          api.GET('/api/v1/studies/{study_id}/tool-runs', {
            params: { path: { study_id: studyId } },
          }),
        )
      ).results,
    // Any change to the study may make one of them old.
    staleTime: 0,
  });

/** What was asked of a tool, and what of that the study and the catalogue said. */
export interface Referred {
  tool: string;
  title: string;
  model: string;
  params: JsonObject;
  /** What the tool's address holds, to open it so again. */
  state?: JsonObject;
  /** Letter of the design that the answer speaks of. */
  design?: string;
  /** The study's values that the input was taken from. */
  pointers?: string[];
  /** The catalogue's entries that the input was taken from. */
  entries?: string[];
}

/** Stores what a tool found as a run, and lets a study refer to it. */
export function useReferTo(studyId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ model, params, ...said }: Referred) => {
      const run = await runEnded(await startRun({ model, params }));
      noteRun(client, run);
      await body<Listed>(
        api.POST('/api/v1/studies/{study_id}/tool-runs', {
          params: { path: { study_id: studyId } },
          body: { run: run.id, ...said },
        }),
      );
    },
    onSettled: () => client.invalidateQueries({ queryKey: studyKey(studyId) }),
  });
}

export function useForget(studyId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (run: string) =>
      api.DELETE('/api/v1/studies/{study_id}/tool-runs/{run_id}', {
        params: { path: { study_id: studyId, run_id: run } },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: studyKey(studyId) }),
  });
}
