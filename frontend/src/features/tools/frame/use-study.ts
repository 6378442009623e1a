import { useQuery } from '@tanstack/react-query';
import { studyQueryOptions } from '../../../lib/studies';
import type { Study } from '../../../lib/types';

/** The study that a tool works for; nothing while there is none. */
export function useStudy(studyId: string | undefined): Study | undefined {
  return useQuery({ ...studyQueryOptions(studyId ?? ''), enabled: studyId !== undefined }).data;
}
