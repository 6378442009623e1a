import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import { studyQueryOptions } from '../../../lib/studies';
import type { Study } from '../../../lib/types';

function useStudiesMutation<Input>(run: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run as (input: Input) => Promise<Study | undefined>,
    onSuccess: () => client.invalidateQueries({ queryKey: ['studies'] }),
  });
}

export const useCreateStudy = () =>
  useStudiesMutation((fields: { title: string; question: string }) =>
    body<Study>(api.POST('/api/v1/studies', { body: fields })),
  );

export const useCopyStudy = () =>
  useStudiesMutation((id: string) =>
    body<Study>(
      api.POST('/api/v1/studies/{study_id}/copy', { params: { path: { study_id: id } } }),
    ),
  );

interface StudyChange {
  id: string;
  revision: number;
  fields: { title: string; tags: string[] };
}

export function useChangeStudy() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, revision, fields }: StudyChange) =>
      body<Study>(
        api.PATCH('/api/v1/studies/{study_id}', {
          params: { path: { study_id: id }, header: { 'If-Match': `"${revision}"` } },
          body: fields,
        }),
      ),
    onSuccess: (study) => {
      client.setQueryData(studyQueryOptions(study.id).queryKey, study);
      return client.invalidateQueries({ queryKey: ['studies'] });
    },
  });
}

export const useDeleteStudy = () =>
  useStudiesMutation((id: string) =>
    api.DELETE('/api/v1/studies/{study_id}', { params: { path: { study_id: id } } }),
  );

export const useImportStudy = () =>
  useStudiesMutation(async (file: File) => {
    const text = await file.text();
    return body<Study>(
      api.POST('/api/v1/studies/import', {
        body: text as never,
        bodySerializer: (given) => String(given),
        headers: {
          'Content-Type': file.name.endsWith('.json') ? 'application/json' : 'application/yaml',
        },
      }),
    );
  });
