import { useQuery } from '@tanstack/react-query';
import type { Fault } from '../../../lib/problem';
import { toolRunsQueryOptions } from '../../../lib/tool-runs';
import type { Provenance } from '../../../lib/types';

/** What is out of date of the runs that values of a part were taken from, beside those values. */
export function useOutOfDate(studyId: string, provenance: Provenance): Fault[] {
  const taken = Object.entries(provenance).filter(([, origin]) => origin?.run);
  const runs = useQuery({ ...toolRunsQueryOptions(studyId), enabled: taken.length > 0 }).data ?? [];
  return taken.flatMap(([pointer, origin]) =>
    runs
      .filter(({ run }) => run === origin?.run)
      .flatMap(({ stale }) =>
        stale.map((reason) => ({
          pointer,
          code: 'out_of_date',
          message: `${origin?.source ?? 'The run'} is out of date. ${reason}`,
        })),
      ),
  );
}
