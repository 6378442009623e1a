import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body, rows } from './api';
import { cleared } from './catalogue';
import { studyKey, studyQueryOptions } from './studies';
import type { Pack, PackDetail, PackField, PackInput, Study, StudyPack } from './types';

const PACKS = ['packs'] as const;

/** Packs of assumptions, the workspace's own first. */
export const packsQueryOptions = queryOptions({
  queryKey: PACKS,
  queryFn: () => rows<Pack>(api.GET('/api/v1/packs')),
});

export const packQueryOptions = (slug: string) =>
  queryOptions({
    queryKey: [...PACKS, slug],
    queryFn: () =>
      body<PackDetail>(api.GET('/api/v1/packs/{slug}', { params: { path: { slug } } })),
  });

/** The numbers that a pack may hold. */
export const packFieldsQueryOptions = queryOptions({
  queryKey: [...PACKS, 'fields', 'all'],
  queryFn: () => rows<PackField>(api.GET('/api/v1/packs/fields')),
});

/** A pack beside a study; without a slug the one that it follows. */
export const studyPackQueryOptions = (study_id: string, slug: string) =>
  queryOptions({
    queryKey: [...studyKey(study_id), 'pack', slug],
    queryFn: () =>
      body<StudyPack>(
        api.GET('/api/v1/studies/{study_id}/pack', {
          params: { path: { study_id }, query: slug ? { entry: slug } : {} },
        }),
      ),
    staleTime: 0,
  });

export function useSavePack() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ of, ...given }: PackInput & { of?: Pack }) =>
      of
        ? body<PackDetail>(
            api.PATCH('/api/v1/packs/{slug}', {
              params: {
                path: { slug: of.slug },
                header: { 'If-Match': `"${of.version}"` },
              } as never,
              body: { ...given, values: { ...cleared(of.values), ...given.values } },
            }),
          )
        : body<PackDetail>(api.POST('/api/v1/packs', { body: given })),
    onSuccess: () => client.invalidateQueries({ queryKey: PACKS }),
  });
}

export function useDeletePack() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (slug: string) =>
      api.DELETE('/api/v1/packs/{slug}', { params: { path: { slug } } }),
    onSettled: () => client.invalidateQueries({ queryKey: PACKS }),
  });
}

/** Has a study follow a pack, or none; what it shows elsewhere is asked anew. */
export function useFollowPack(study_id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (given: { entry: string; left?: string[] } | null) =>
      given
        ? body<Study>(
            api.POST('/api/v1/studies/{study_id}/pack', {
              params: { path: { study_id } },
              body: given,
            }),
          )
        : body<Study>(
            api.DELETE('/api/v1/studies/{study_id}/pack', { params: { path: { study_id } } }),
          ),
    onSuccess: (study) => client.setQueryData<Study>(studyQueryOptions(study_id).queryKey, study),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: studyKey(study_id) }),
        client.invalidateQueries({ queryKey: ['studies'] }),
      ]),
  });
}
