import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { components } from '../../../api-types/schema';
import { api, body } from '../../../lib/api';
import type { JsonObject } from '../../../lib/pointer';
import { studyKey } from '../../../lib/studies';
import type { Design } from '../../../lib/types';

/** A study holds no more. */
export const DESIGNS_MOST = 8;
export const FULL = `A study holds at most ${DESIGNS_MOST} designs.`;

function useDesignsMutation<Input, Output>(
  studyId: string,
  run: (input: Input) => Promise<Output>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: studyKey(studyId) }),
        client.invalidateQueries({ queryKey: ['studies'] }),
      ]),
  });
}

type DesignProposal = components['schemas']['ProposalOptionRequest'];

interface NewDesign {
  title: string;
  kind: string;
  spec: JsonObject;
}

export const useAddDesign = (studyId: string) =>
  useDesignsMutation(studyId, (design: NewDesign) =>
    body<Design>(
      api.POST('/api/v1/studies/{study_id}/designs', {
        params: { path: { study_id: studyId } },
        body: design,
      }),
    ),
  );

/** A design proposed for the study's work: sized, priced, complete. */
export const useProposeDesign = (studyId: string) =>
  useDesignsMutation(studyId, (option: DesignProposal) =>
    body<Design>(
      api.POST('/api/v1/studies/{study_id}/designs/propose', {
        params: { path: { study_id: studyId } },
        body: option,
      }),
    ),
  );

/** A design that a search of the catalogue found, by its key. */
export const useAddExplored = (studyId: string) =>
  useDesignsMutation(studyId, (key: string) =>
    body<Design>(
      api.POST('/api/v1/studies/{study_id}/designs/explored', {
        params: { path: { study_id: studyId } },
        body: { key, region: '' },
      }),
    ),
  );

export const useCopyDesign = (studyId: string) =>
  useDesignsMutation(studyId, (id: string) =>
    api.POST('/api/v1/designs/{design_id}/copy', { params: { path: { design_id: id } } }),
  );

export const useDeleteDesign = (studyId: string) =>
  useDesignsMutation(studyId, (id: string) =>
    api.DELETE('/api/v1/designs/{design_id}', { params: { path: { design_id: id } } }),
  );
