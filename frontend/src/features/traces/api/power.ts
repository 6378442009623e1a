import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { JsonObject } from '../../../lib/pointer';
import { studyKey } from '../../../lib/studies';
import type { Design, Provenance } from '../../../lib/types';

interface Change {
  design: Design;
  spec: JsonObject;
  provenance: Provenance;
}

/** Gives a design what was measured, unless somebody changed it meanwhile. */
export function useChangeDesign() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ design, spec, provenance }: Change) =>
      body<Design>(
        api.PUT('/api/v1/designs/{design_id}', {
          params: {
            path: { design_id: design.id },
            header: { 'If-Match': `"${design.revision}"` },
          },
          body: { spec, provenance } as object,
        }),
      ),
    onSettled: (_done, _error, { design }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: studyKey(design.study) }),
        client.invalidateQueries({ queryKey: ['studies'] }),
      ]),
  });
}
