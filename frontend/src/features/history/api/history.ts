import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body, rows } from '../../../lib/api';
import type { DrawnFigure } from '../../../lib/comparison';
import { PLAN } from '../../../lib/models';
import type {
  Approval,
  CreatedShare,
  Page,
  Run,
  RunCauses,
  RunDetail,
  Share,
} from '../../../lib/types';

const POINTS_MOST = 200;

export const historyQueryOptions = (study: string) =>
  queryOptions({
    queryKey: ['jobs', 'history', study],
    queryFn: () =>
      body<Page<Run> & { figures: DrawnFigure[] }>(
        api.GET('/api/v1/runs', {
          params: {
            query: {
              study,
              model: PLAN,
              state: 'succeeded',
              limit: POINTS_MOST,
              folded: true,
              figures: true,
            },
          },
        }),
      ),
  });

/** The runs of one burst of editing, which the history shows as its last. */
export const burstQueryOptions = (study: string, burst: string) =>
  queryOptions({
    queryKey: ['jobs', 'history', study, burst],
    queryFn: () =>
      body<Page<Run>>(
        api.GET('/api/v1/runs', { params: { query: { burst, limit: POINTS_MOST } } }),
      ),
  });

/** The run goes with its result; what was approved stays. */
export function useRemoveRun(study: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (run_id: string) =>
      body(api.DELETE('/api/v1/runs/{run_id}', { params: { path: { run_id } } })),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: historyQueryOptions(study).queryKey }),
        client.invalidateQueries({ queryKey: ['usage'] }),
      ]),
  });
}

export const runDetailQueryOptions = (run_id: string) =>
  queryOptions({
    queryKey: ['runs', 'detail', run_id],
    queryFn: () =>
      body<RunDetail>(api.GET('/api/v1/runs/{run_id}', { params: { path: { run_id } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const causesQueryOptions = (before: string, after: string) =>
  queryOptions({
    queryKey: ['runs', 'causes', before, after],
    queryFn: () =>
      body<RunCauses>(
        api.GET('/api/v1/runs/{run_id}/causes', {
          params: { path: { run_id: after }, query: { against: before } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });

const approvalsKey = (study: string) => ['approvals', study] as const;

export const approvalsQueryOptions = (study_id: string) =>
  queryOptions({
    queryKey: approvalsKey(study_id),
    queryFn: () =>
      rows<Approval>(
        api.GET('/api/v1/studies/{study_id}/approvals', { params: { path: { study_id } } }),
      ),
  });

export function useApprove(study_id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (given: { name: string; sentence: string }) =>
      body<Approval>(
        api.POST('/api/v1/studies/{study_id}/approvals', {
          params: { path: { study_id } },
          body: given,
        }),
      ),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: approvalsKey(study_id) }),
        client.invalidateQueries({ queryKey: ['actuals', study_id] }),
        client.invalidateQueries({ queryKey: ['jobs'] }),
      ]),
  });
}

const sharesKey = (study: string) => ['shares', study] as const;

export const sharesQueryOptions = (study_id: string) =>
  queryOptions({
    queryKey: sharesKey(study_id),
    queryFn: () =>
      rows<Share>(api.GET('/api/v1/studies/{study_id}/shares', { params: { path: { study_id } } })),
  });

export interface ShareAsked {
  run: string | null;
  with_inputs: boolean;
  days: number;
}

export function useShare(study_id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (given: ShareAsked) =>
      body<CreatedShare>(
        api.POST('/api/v1/studies/{study_id}/shares', {
          params: { path: { study_id } },
          body: given,
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: sharesKey(study_id) }),
  });
}

export function useRevokeShare(study_id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (share_id: string) =>
      api.DELETE('/api/v1/shares/{share_id}', { params: { path: { share_id } } }),
    onSettled: () => client.invalidateQueries({ queryKey: sharesKey(study_id) }),
  });
}

export const useAskApproval = (study_id: string) =>
  useMutation({
    mutationFn: (sentence: string) =>
      api.POST('/api/v1/studies/{study_id}/approvals/ask', {
        params: { path: { study_id } },
        body: { sentence },
      }),
  });
