import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body } from './api';
import type { JsonObject } from './pointer';
import { jobEnded, noteRun, runEnded, startRun } from './runs';
import type { Report } from './types';

const reportOf = (id: string) =>
  body<Report>(api.GET('/api/v1/reports/{report_id}', { params: { path: { report_id: id } } }));

/** Stores an answer as a run, has its PDF drawn, and gives the address of the file. */
export function useRunPdf() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ model, params }: { model: string; params: JsonObject }) => {
      const run = await runEnded(await startRun({ model, params }));
      noteRun(client, run);
      const asked = await body<Report>(
        api.POST('/api/v1/reports', {
          body: { run: run.id, format: 'pdf', paper: 'a4', appendix: false },
        }),
      );
      const report = await jobEnded(asked, reportOf);
      return `/api/v1/reports/${report.id}/file`;
    },
  });
}
