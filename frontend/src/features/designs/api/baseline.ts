import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { NumberFormat } from '../../../lib/typed-number';
import type { Study } from '../../../lib/types';
import { keepStudy } from './save';

/** Replaces the lines of a study's baseline by those of a pasted table. */
export function useReadBaseline(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (table: { csv: string; numbers: NumberFormat }) =>
      body<Study & { numbers_read: string[] }>(
        api.POST('/api/v1/studies/{study_id}/baseline-csv', {
          params: { path: { study_id: id } },
          body: table,
        }),
      ),
    onSuccess: ({ numbers_read: _read, ...study }) => keepStudy(client, study),
  });
}
