import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { components } from '../api-types/schema';
import { api, body } from './api';
import { noteRun, runEnded, startRun } from './runs';
import { studyKey } from './studies';
import type { JsonObject } from './pointer';

export const FORECAST_MODEL = 'demand.forecast';

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
  tool: components['schemas']['ToolEnum'];
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
  /** Runs that the study referred to for the same, and then no more. */
  instead?: string[];
}

const forget = (studyId: string, run: string) =>
  api.DELETE('/api/v1/studies/{study_id}/tool-runs/{run_id}', {
    params: { path: { study_id: studyId, run_id: run } },
  });

/** Stores what a tool found as a run, and lets a study refer to it. */
export function useReferTo(studyId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ model, params, instead = [], ...said }: Referred) => {
      const run = await runEnded(await startRun({ model, params }));
      noteRun(client, run);
      await body<Listed>(
        api.POST('/api/v1/studies/{study_id}/tool-runs', {
          params: { path: { study_id: studyId } },
          body: { run: run.id, ...said },
        }),
      );
      for (const old of instead) if (old !== run.id) await forget(studyId, old);
    },
    onSettled: () => client.invalidateQueries({ queryKey: studyKey(studyId) }),
  });
}

export type Growing = Schemas['GrowthInputRequest']['of'];

/** What of a forecast a study takes: which work grows so, and what the series is of. */
export interface Grown {
  params: JsonObject;
  of: Growing;
  /** `import:` or `run:` with an id, and the place of the series in a run's result. */
  from?: string;
  state?: JsonObject;
}

function seriesOf(from: string | undefined): Schemas['GrowthInputRequest']['series'] {
  const [origin, id, pointer] = (from ?? '').split(':');
  if ((origin !== 'import' && origin !== 'run') || !id) return undefined;
  return { origin, id, ...(pointer && { pointer }) };
}

/** Takes a study's growth from a forecast, which it refers to from then on. */
export function useTakeGrowth(studyId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ params, of, from, state }: Grown) => {
      const run = await runEnded(await startRun({ model: FORECAST_MODEL, params }));
      noteRun(client, run);
      const series = params.trace ? undefined : seriesOf(from);
      await body<Listed>(
        api.POST('/api/v1/studies/{study_id}/growth', {
          params: { path: { study_id: studyId } },
          body: { run: run.id, of, ...(series && { series }), ...(state && { state }) },
        }),
      );
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: studyKey(studyId) }),
        client.invalidateQueries({ queryKey: ['studies'] }),
      ]),
  });
}

export function useForget(studyId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (run: string) => forget(studyId, run),
    onSettled: () => client.invalidateQueries({ queryKey: studyKey(studyId) }),
  });
}
