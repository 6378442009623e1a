import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Problem } from '../../../lib/problem';
import { studyKey } from '../../../lib/studies';

async function post(id: string, csv: string): Promise<void> {
  throw new Problem(501, { detail: `Not there: ${id} ${csv.length}` });
}

export function useReadBaseline(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (csv: string) => post(id, csv),
    onSuccess: () => client.invalidateQueries({ queryKey: studyKey(id) }),
  });
}
