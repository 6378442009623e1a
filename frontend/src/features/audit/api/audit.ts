import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, body } from '../../../lib/api';
import type { AuditEntry, AuditKind, Page } from '../../../lib/types';

export interface AuditFilter {
  kind?: AuditKind;
  who?: string;
  what?: string;
  since?: string;
  until?: string;
}

export const auditQueryOptions = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) =>
      body<Page<AuditEntry>>(
        api.GET('/api/v1/audit', {
          params: { query: { ...filter, ...(pageParam && { cursor: pageParam }), limit: 100 } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

/** Where the same rows are as a table. */
export function auditCsv(filter: AuditFilter): string {
  const query = new URLSearchParams(
    Object.entries(filter).filter((pair): pair is [string, string] => Boolean(pair[1])),
  );
  return `/api/v1/audit.csv?${query.toString()}`;
}
