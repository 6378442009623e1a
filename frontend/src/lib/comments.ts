import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body, rows } from './api';
import type { Comment } from './types';

export const commentsQueryOptions = (study_id: string) =>
  queryOptions({
    queryKey: ['comments', study_id],
    queryFn: () =>
      rows<Comment>(
        api.GET('/api/v1/studies/{study_id}/comments', { params: { path: { study_id } } }),
      ),
  });

export interface NewComment {
  text: string;
  letter?: string;
  place?: string;
  place_title?: string;
}

function useChanged(study: string) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: commentsQueryOptions(study).queryKey });
}

export function useAddComment(study_id: string) {
  const changed = useChanged(study_id);
  return useMutation({
    mutationFn: (given: NewComment) =>
      body<Comment>(
        api.POST('/api/v1/studies/{study_id}/comments', {
          params: { path: { study_id } },
          body: given,
        }),
      ),
    onSuccess: changed,
  });
}

export function useSettleComment(study: string) {
  const changed = useChanged(study);
  return useMutation({
    mutationFn: ({ comment_id, resolved }: { comment_id: string; resolved: boolean }) =>
      body<Comment>(
        api.PATCH('/api/v1/comments/{comment_id}', {
          params: { path: { comment_id } },
          body: { resolved },
        }),
      ),
    onSettled: changed,
  });
}

export function useRemoveComment(study: string) {
  const changed = useChanged(study);
  return useMutation({
    mutationFn: (comment_id: string) =>
      api.DELETE('/api/v1/comments/{comment_id}', { params: { path: { comment_id } } }),
    onSettled: changed,
  });
}
