import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import { studyKey } from '../../../lib/studies';
import { withTraceWork, type TraceWork } from '../../../lib/trace-work';
import type { Trace } from '../../../lib/traces';
import type { Study } from '../../../lib/types';

interface Put {
  study: string;
  found: TraceWork;
  trace: Trace;
  run: string;
}

/** Puts the work of a trace into a study, over what its workload said of cores, RAM and hours. */
export function usePutWork() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ study, found, trace, run }: Put) => {
      const path = { study_id: study };
      const held = await body<Study>(api.GET('/api/v1/studies/{study_id}', { params: { path } }));
      const changes = withTraceWork(held, found, trace, run);
      return body<Study>(
        api.PUT('/api/v1/studies/{study_id}', {
          params: { path, header: { 'If-Match': `"${held.revision}"` } },
          body: changes as object,
        }),
      );
    },
    onSettled: (_done, _error, { study }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: studyKey(study) }),
        client.invalidateQueries({ queryKey: ['studies'] }),
      ]),
  });
}
